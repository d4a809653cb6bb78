/* Every way to fail. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int sink[100];

static int deep(int n) {
    int room[1000];
    memset(room, n, sizeof room);
    return deep(n + 1) + room[n % 1000]; /* stack */
}

static void *work(void *x) { return x; }

int main(int argc, char **argv) {
    char way = argc > 1 ? argv[1][0] : '?';
    volatile int zero = 0;
    int *volatile nowhere = 0;
    for (int i = 0; i < 100; i++) sink[i] = i;
    printf("before\n");
    fflush(stdout);
    if (way == 's')
        for (int i = 0; i < 3; i++) {
            if (i == 2) sink[0] = *nowhere; /* null */
            sink[i]++;
        }
    if (way == 'a') assert(sink[5] == 6); /* assert */
    if (way == 'z') sink[3] = sink[4] / zero; /* division */
    if (way == 'e') for (;;) sink[way % 7]++; /* endless */
    if (way == 'w') sleep(100); /* waits */
    if (way == 'd') return deep(1);
    if (way == 'l') return (int)strlen((char *)(long)zero); /* library */
    if (way == 'm') {
        for (long i = 0; i < 1000; i++) {
            char *volatile block = malloc(64 << 20);
            block[0] = 1; /* refused */
            sink[i % 100] = block[0];
        }
    }
    if (way == 'o') for (long i = 0;; i++) printf("%ld\n", i); /* prints */
    if (way == 'f') {
        FILE *file = fopen("large", "w");
        for (long i = 0; i < 100000; i++) fwrite(sink, sizeof sink, 1, file); /* writes */
    }
    if (way == 't') {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0); /* thread */
        pthread_join(thread, 0);
    }
    if (way == 'x') _Exit(7);
    if (way == 'k') {
        if (fork() == 0) {
            for (int k = 0; k < 100000; k++) sink[k % 100]--;
            _exit(0);
        }
        wait(0);
        for (int i = 0; i < 100; i++) sink[i]++;
    }
    return 1;
}
