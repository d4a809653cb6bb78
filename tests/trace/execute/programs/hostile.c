/* What a program may try; the first argument says what, the second one names a file of the user's,
 * the third one a process of the user's. Each line that it prints says what it could not do. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static void tried(const char *what, long answer) {
    printf("%s: %s\n", what, answer < 0 ? "refused" : "DONE");
    fflush(stdout);
}

static void change_files(const char *file, const char *folder) {
    char inside[4096];
    snprintf(inside, sizeof inside, "%s/new", folder);
    tried("open", open(file, O_WRONLY));
    tried("create", open(inside, O_WRONLY | O_CREAT, 0600));
    tried("anonymous", open(folder, O_TMPFILE | O_WRONLY, 0600));
    tried("truncate", truncate(file, 0));
    tried("unlink", unlink(file));
    tried("rename", rename(file, "mine"));
    tried("link", link(file, "mine"));
    tried("mkdir", mkdir(inside, 0700));
    tried("rmdir", rmdir(folder));
    tried("symlink", symlink("/etc", inside));
    tried("fifo", mkfifo(inside, 0600));
    tried("chmod", chmod(file, 0777));
    tried("chown", chown(file, getuid(), getgid()));
    tried("utime", utimensat(AT_FDCWD, file, NULL, 0));
    tried("xattr", setxattr(file, "user.a", "b", 1, 0));
    unsigned flags = 0x80; /* FS_NOATIME_FL */
    tried("flags", ioctl(open(file, O_RDONLY), 0x40086602, &flags));
    tried("fchmod", fchmod(open(file, O_RDONLY), 0777));
    symlink(folder, "way");
    tried("by a link", open("way/new", O_WRONLY | O_CREAT, 0600));
    tried("by a shell", system("echo evil > \"$TMPDIR/way/new\"") ? -1 : 0);
    tried("self", open("/proc/self/mem", O_WRONLY));
    tried("setting", open("/proc/self/oom_score_adj", O_WRONLY));
}

static void use_network(void) {
    tried("internet", socket(AF_INET, SOCK_STREAM, 0));
    tried("datagrams", socket(AF_INET6, SOCK_DGRAM, 0));
    tried("local", socket(AF_UNIX, SOCK_STREAM, 0));
    tried("raw", socket(AF_PACKET, SOCK_RAW, 0));
    tried("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    tried("ring", syscall(425, 4, NULL));
    int two[2];
    tried("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, two));
    tried("key", syscall(SYS_add_key, "user", "left", "x", 1, -4));
    tried("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
#ifdef __x86_64__
    long other = 0x40000000 + 41, answer;
    __asm__ volatile("syscall" : "=a"(answer)
                     : "a"(other), "D"(2L), "S"(1L), "d"(0L) : "rcx", "r11", "memory");
    tried("other numbers", answer);
#endif
}

static void disturb(pid_t other) {
    struct rlimit none = {0, 0};
    tried("signal", kill(other, SIGTERM));
    tried("signal all", kill(-1, SIGTERM));
    tried("signal group", kill(-getpgid(other), SIGTERM));
    tried("trace", ptrace(PTRACE_ATTACH, other, NULL, NULL));
    tried("limit", prlimit(other, RLIMIT_CPU, &none, NULL));
    tried("priority", setpriority(PRIO_PROCESS, other, 7));
    tried("core", syscall(SYS_sched_setaffinity, other, 8, &none));
    tried("memory of others", syscall(SYS_shmctl, 0, IPC_RMID, NULL));
    tried("queue of others", syscall(SYS_mq_unlink, "queue"));
    tried("hide", syscall(SYS_prctl, 4, 0, 0, 0, 0));
    tried("thread", syscall(SYS_clone, 0x10f00, 0, 0, 0, 0));
    tried("session", setsid());
    tried("group", setpgid(0, 0));
    tried("root", setuid(0) || syscall(SYS_sethostname, "evil", 4) ? -1 : 0);
    tried("namespace", syscall(SYS_unshare, 0x10000000));
    tried("new namespace", syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0));
    tried("sibling", syscall(SYS_clone, 0x8000 | SIGCHLD, 0, 0, 0, 0));
    tried("survive", syscall(SYS_prctl, 1, 0, 0, 0, 0));
    tried("anonymous memory", syscall(SYS_memfd_create, "x", 0));
    tried("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
}

/* Grandchildren whose parents are gone; the output is closed, so that nobody waits for it. */
static void stay(void) {
    for (int i = 0; i < 3; i++)
        if (!fork()) {
            setsid();
            if (!fork()) {
                close(0), close(1), close(2);
                signal(SIGTERM, SIG_IGN);
                for (;;) pause();
            }
            _exit(0);
        }
    while (wait(NULL) > 0) {}
}

static void multiply(void) {
    for (;;) {
        fork();
        usleep(20000);
    }
}

static void use_memory(void) {
    for (int i = 0; i < 6; i++)
        if (!fork()) {
            size_t bytes = (size_t)100 << 20;
            memset(malloc(bytes), 1, bytes);
            for (;;) pause();
        }
    for (;;) pause();
}

static void use_disk(int named) {
    static char block[1 << 20];
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "file%d", i);
        int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (!named) unlink(name);
        memset(block, i, sizeof block);
        for (int n = 0; n < 4; n++) (void)!write(file, block, sizeof block);
        usleep(2000);
    }
}

/* The memory and the pipes by which the trace goes to its reader. */
static void scribble(void) {
    srand(1);
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long low, high;
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "logca-trace") && sscanf(line, "%lx-%lx", &low, &high) == 2)
            for (unsigned long at = low + 64 * 8; at < high; at += 8)
                *(volatile uint64_t *)at = (uint64_t)rand() << 33 ^ (uint64_t)rand() << 11 ^ rand();
    fclose(maps);
    for (int file = 3; file < 1024; file++)
        for (int n = 1; n < 40; n++)
            if (fcntl(file, F_GETFD) >= 0) {
                fcntl(file, F_SETFL, O_NONBLOCK);
                (void)!write(file, line, (size_t)n);
            }
}

/* Before the reader's own code runs: its memory made shorter would end the reader. */
static void early(int count, char **words, char **variables) {
    (void)variables;
    if (count > 1 && !strcmp(words[1], "soon")) {
        size_t bytes = (size_t)1 << 30;
        tried("memory", mmap(NULL, bytes, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
        struct rlimit now;
        getrlimit(RLIMIT_CPU, &now);
        tried("time", now.rlim_max == RLIM_INFINITY ? 0 : -1);
        getrlimit(RLIMIT_FSIZE, &now);
        tried("file", now.rlim_max == RLIM_INFINITY ? 0 : -1);
    }
    if (count > 1 && !strcmp(words[1], "early"))
        for (int file = 3; file < 1024; file++) (void)!ftruncate(file, 0);
}
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **, char **) = early;

static void flood(void) {
    static uint64_t chunks[512];
    for (int n = 0; n < 400; n++)
        for (int file = 900; file < 904; file++)
            if (fcntl(file, F_GETFD) >= 0) {
                fcntl(file, F_SETFL, O_NONBLOCK);
                (void)!write(file, chunks, sizeof chunks);
            }
}

/* Chunks of records that nobody made, of accesses as long as can be. */
static void forge(void) {
    char line[512];
    unsigned long low = 0, high = 0, from, to;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "logca-trace") && sscanf(line, "%lx-%lx", &from, &to) == 2)
            if (to - from > high - low) low = from, high = to;
    fclose(maps);
    uint64_t word = 88172645463325252ull, count = 1 << 18;
    for (unsigned long at = low; at < high; at += 8) {
        word ^= word << 13, word ^= word >> 7, word ^= word << 17;
        *(volatile uint64_t *)at = word;
    }
    for (int file = 900; file < 904; file++)
        for (int n = 0; n < 4; n++) (void)!write(file, &count, sizeof count);
}

static void hide_files(void) {
    static char block[1 << 20];
    for (int n = 0; n < 8; n++) {
        int file = open(getenv("TMPDIR"), O_TMPFILE | O_RDWR, 0600);
        for (int i = 0; i < 16; i++) (void)!write(file, block, sizeof block);
        mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
        close(file);
        usleep(100000);
    }
}

static void leave_dead(void) {
    for (int i = 0; i < 200; i++)
        if (!fork()) _exit(0);
    sleep(2);
}

static void slow_down(void) {
    char name[32];
    for (int i = 0; i < 800; i++) {
        snprintf(name, sizeof name, "empty%d", i);
        close(open(name, O_WRONLY | O_CREAT, 0600));
    }
    for (int i = 0; i < 100; i++)
        if (!fork()) sleep(20), _exit(0);
    sleep(5);
}

static void nest(void) {
    for (int n = 0; n < 1800; n++)
        if (mkdir("d", 0700) || chdir("d")) break;
}

static void nest_beyond_paths(void) {
    static char name[251];
    memset(name, 'd', sizeof name - 1);
    for (int n = 0; n < 20; n++)
        if (mkdir(name, 0700) || chdir(name)) break;
    sleep(2);
}

int main(int count, char **words) {
    const char *what = count > 1 ? words[1] : "";
    if (!strcmp(what, "files")) change_files(words[2], words[3]);
    if (!strcmp(what, "network")) use_network();
    if (!strcmp(what, "others")) disturb(atoi(words[2]));
    if (!strcmp(what, "stay")) stay();
    if (!strcmp(what, "processes")) multiply();
    if (!strcmp(what, "memory")) use_memory();
    if (!strcmp(what, "disk")) use_disk(1);
    if (!strcmp(what, "unnamed")) use_disk(0);
    if (!strcmp(what, "scribble")) scribble();
    if (!strcmp(what, "flood")) flood();
    if (!strcmp(what, "forge")) forge();
    if (!strcmp(what, "hidden")) hide_files();
    if (!strcmp(what, "dead")) leave_dead();
    if (!strcmp(what, "slow")) slow_down();
    if (!strcmp(what, "nest")) nest();
    if (!strcmp(what, "deep")) nest_beyond_paths();
    if (!strcmp(what, "own")) {
        FILE *file = fopen("own", "w");
        fprintf(file, "kept");
        fclose(file);
        tried("rename", rename("own", "other"));
        tried("null", open("/dev/null", O_WRONLY));
        tried("read", open(words[2], O_RDONLY));
        tried("temporary", tmpfile() ? 0 : -1);
    }
    return 0;
}
