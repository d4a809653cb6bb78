/* Starts a program that keeps no right to change anything but what is in one folder:
 *
 *     containment FOLDER MEMORY FILE SECONDS THREADS PROGRAM NAME ARGUMENT...
 *
 * MEMORY and FILE are limits of each process [B], SECONDS that of its processor time; zero is none.
 * THREADS is 1 if the program may have threads, else 0.
 * What is given up here is given up for good, and by all that the program starts. Landlock keeps
 * writing inside the folder; a filter of system calls keeps away sockets, what would outlive the
 * program, and changes of files that Landlock does not know. Reading is not restricted: a program
 * may be given files to read. What went wrong is said, and the exit status is 125. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Names that older headers lack; the numbers are the same for all processors. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, PATH_BENEATH = 1 };
enum { IO_URING_SETUP = 425, FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466,
       FILE_SETATTR = 469, CLONE3 = 435, MEMFD_SECRET = 447 };
#define NAMESPACES (0x7e020000u | 0x80u) /* CLONE_NEWUSER and the others of linux/sched.h */

/* The rights of linux/landlock.h that change something: all but to execute a file, to read one, and
 * to list a folder. */
#define WRITE_FILE (1ull << 1)
#define MAKE_AND_REMOVE (0x3ffull << 4 | 1ull << 13)
#define TRUNCATE (1ull << 14)
#define IOCTL_ON_DEVICES (1ull << 15)

static void refuse(const char *what) {
    dprintf(2, "logca-containment: %s: %s\n", what, strerror(errno));
    _exit(125);
}

static void allow(int rules, const char *path, uint64_t rights) {
    struct { uint64_t rights; int32_t place; } __attribute__((packed)) beneath = {rights, 0};
    beneath.place = open(path, O_PATH | O_CLOEXEC);
    if (beneath.place < 0) return; /* what is not there needs no right */
    if (syscall(ADD_RULE, rules, PATH_BENEATH, &beneath, 0)) refuse(path);
    close(beneath.place);
}

static void write_only_in(const char *folder) {
    long version = syscall(CREATE_RULESET, NULL, 0, 1);
    if (version < 3) return; /* whoever starts this has said so: see `missing_guarantees` */
    uint64_t devices = WRITE_FILE | TRUNCATE | (version >= 5 ? IOCTL_ON_DEVICES : 0);
    uint64_t attributes[] = {devices | MAKE_AND_REMOVE, 3, 3}; /* and TCP; signals and sockets */
    size_t known = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int rules = (int)syscall(CREATE_RULESET, attributes, known, 0);
    if (rules < 0) refuse("Landlock");
    allow(rules, folder, attributes[0]);
    allow(rules, "/dev/null", devices);
    allow(rules, "/dev/zero", devices);
    allow(rules, "/dev/full", devices);
    if (syscall(RESTRICT_SELF, rules, 0)) refuse("Landlock");
    close(rules);
}

/* Root may do what other users may, and no more. */
static void drop_capabilities(void) {
    /* else to become another program would give root its capabilities for a moment, in which the
     * kernel forgets that addresses are not to be random; a root that may not ask for it is none */
    prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    if (syscall(SYS_capset, &header, none)) refuse("capabilities");
}

#ifdef ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define GIVE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ANSWER(number, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), GIVE(error)

static void filter_calls(int threads) {
    uint32_t unwanted = NAMESPACES | CLONE_PARENT | (threads ? 0 : CLONE_THREAD);
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), GIVE(ENOSYS),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), GIVE(ENOSYS), /* x32 */
        ANSWER(SYS_socket, EACCES), ANSWER(SYS_socketpair, EACCES),
        ANSWER(IO_URING_SETUP, ENOSYS), /* makes sockets without the call */
        /* memory that no limit counts */
        ANSWER(SYS_memfd_create, ENOSYS), ANSWER(MEMFD_SECRET, ENOSYS),
        /* namespaces, in which it would be root; `clone3` hides its flags, and the C library then
         * takes `clone` */
        ANSWER(SYS_unshare, EPERM), ANSWER(SYS_setns, EPERM), ANSWER(CLONE3, ENOSYS),
        /* the program is ended with its group, which nothing may leave */
        ANSWER(SYS_setsid, EPERM), ANSWER(SYS_setpgid, EPERM),
        /* these stay when all processes are gone */
        ANSWER(SYS_shmget, EACCES), ANSWER(SYS_semget, EACCES), ANSWER(SYS_msgget, EACCES),
        ANSWER(SYS_mq_open, EACCES), ANSWER(SYS_add_key, EACCES),
        /* these are others' */
        ANSWER(SYS_shmat, EACCES), ANSWER(SYS_shmctl, EACCES), ANSWER(SYS_semop, EACCES),
        ANSWER(SYS_semtimedop, EACCES), ANSWER(SYS_semctl, EACCES), ANSWER(SYS_msgsnd, EACCES),
        ANSWER(SYS_msgrcv, EACCES), ANSWER(SYS_msgctl, EACCES), ANSWER(SYS_mq_unlink, EACCES),
        ANSWER(SYS_setpriority, EPERM), ANSWER(SYS_ioprio_set, EPERM),
        ANSWER(SYS_sched_setscheduler, EPERM), ANSWER(SYS_sched_setparam, EPERM),
        ANSWER(SYS_sched_setattr, EPERM),
        /* room on the disk that nothing counts; the C library then writes instead */
        ANSWER(SYS_fallocate, EOPNOTSUPP),
        ANSWER(SYS_request_key, EACCES), ANSWER(SYS_keyctl, EACCES),
        /* these change files that nobody may write */
        ANSWER(SYS_fchmod, EPERM), ANSWER(SYS_fchmodat, EPERM), ANSWER(FCHMODAT2, EPERM),
        ANSWER(SYS_fchown, EPERM), ANSWER(SYS_fchownat, EPERM), ANSWER(SYS_utimensat, EPERM),
        ANSWER(SYS_setxattr, EPERM), ANSWER(SYS_lsetxattr, EPERM), ANSWER(SYS_fsetxattr, EPERM),
        ANSWER(SYS_removexattr, EPERM), ANSWER(SYS_lremovexattr, EPERM),
        ANSWER(SYS_fremovexattr, EPERM), ANSWER(SETXATTRAT, EPERM), ANSWER(REMOVEXATTRAT, EPERM),
        ANSWER(FILE_SETATTR, EPERM),
#ifdef SYS_chmod
        ANSWER(SYS_chmod, EPERM), ANSWER(SYS_chown, EPERM), ANSWER(SYS_lchown, EPERM),
        ANSWER(SYS_utime, EPERM), ANSWER(SYS_utimes, EPERM), ANSWER(SYS_futimesat, EPERM),
#endif
        /* limits and cores of another process; and kill(-1), which means every one of the user */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_setaffinity, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 3), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), GIVE(EPERM),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, unwanted, 0, 1), GIVE(EPERM),
        LOAD(nr),
        /* the program ends with us, and shows what it takes: it is to leave that as it is */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 4), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_DUMPABLE, 0, 1), GIVE(EPERM),
        LOAD(nr),
        /* leases hold up whoever opens a file, and owners of descriptors get signals */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 6), LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1024 /* F_SETLEASE */, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 8 /* F_SETOWN */, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 15 /* F_SETOWN_EX */, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1026 /* F_NOTIFY */, 0, 1), GIVE(EPERM),
        LOAD(nr),
        /* of what else is asked of a descriptor, only what the C library asks: some requests change
         * attributes of files that are open for reading */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 9), LOAD(args[1]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TCGETS, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TIOCGWINSZ, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONREAD, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONBIO, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIOCLEX, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FIONCLEX, 1, 0), GIVE(ENOTTY),
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 0, 3), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 0, 1), GIVE(EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) refuse("seccomp");
}
#else
static void filter_calls(int threads) { (void)threads; errno = ENOSYS; refuse("this processor"); }
#endif

/* A reader of the program may lower these; nobody raises them again. */
static void limit(int resource, const char *most, uint64_t more) {
    uint64_t value = strtoull(most, NULL, 10);
    struct rlimit now;
    if (!value || getrlimit(resource, &now)) return;
    if (now.rlim_max == RLIM_INFINITY || value + more < now.rlim_max) now.rlim_max = value + more;
    now.rlim_cur = value < now.rlim_max ? value : now.rlim_max;
    if (setrlimit(resource, &now)) refuse("limits");
}

int main(int count, char **words) {
    if (count < 8) return 125;
    limit(RLIMIT_AS, words[2], 0);
    limit(RLIMIT_FSIZE, words[3], 0);
    limit(RLIMIT_CPU, words[4], 5);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL)) refuse("death signal");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) refuse("no_new_privs");
    write_only_in(words[1]);
    drop_capabilities();
    filter_calls(words[5][0] == '1');
    /* Same addresses in each run, so that a trace can be compared with another one. What forbids
     * it (a container) leaves a correct trace at other addresses. */
    personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    execv(words[6], words + 7);
    refuse(words[6]);
}
