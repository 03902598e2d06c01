/* What a tile may do in its sandbox: the profile `tile`, the program that tile-host becomes, and what that gives away. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "sandbox.h"

/* What a confined process tries; 0 or a negated errno. */
typedef int attempt(void);

static char folder[] = "/tmp/isle-tile-test-XXXXXX";

/* The sandbox brings a waitpid of its own, for tools. */
static int ended(pid_t child)
{
    int status = 0;
    return syscall(SYS_wait4, child, &status, 0, NULL) == child ? status : -1;
}

static int code(long result)
{
    return result < 0 ? -errno : 0;
}

/* A pair of sockets in the place of the ports: what is sent without a buffer arrives as nothing. */
static int port(unsigned number)
{
    return (int)(TILE_FIRST_PORT + number);
}

static int wake(int fd, int flags)
{
    return code(syscall(SYS_sendto, fd, NULL, 0, flags, NULL, 0));
}

static int wakes(void)
{
    int first = wake(port(0), MSG_DONTWAIT);
    return first ? first : wake(port(1), MSG_DONTWAIT);
}

static int receives(void)
{
    int rc = code(syscall(SYS_recvfrom, port(0), NULL, 0, MSG_DONTWAIT, NULL, NULL));
    return rc == -EAGAIN ? 0 : rc;
}

static int sends_bytes(void)
{
    return code(syscall(SYS_sendto, port(0), "x", 1, MSG_DONTWAIT, NULL, 0));
}

static int sends_a_pointer(void)
{
    return code(syscall(SYS_sendto, port(0), "x", 0, MSG_DONTWAIT, NULL, 0));
}

static int sends_far(void)
{
    return code(syscall(SYS_sendto, port(0), (void *)0x100000000, 0, MSG_DONTWAIT, NULL, 0));
}

static int sends_to_an_address(void)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    return code(syscall(SYS_sendto, port(0), NULL, 0, MSG_DONTWAIT, &to, sizeof to));
}

static int waits(void)
{
    return wake(port(0), 0);
}

static int sends_elsewhere(void)
{
    return wake(3, MSG_DONTWAIT);
}

static int sends_behind(void)
{
    return wake(port(TILE_PORTS), MSG_DONTWAIT);
}

static int receives_bytes(void)
{
    char byte;
    return code(syscall(SYS_recvfrom, port(0), &byte, 1, MSG_DONTWAIT, NULL, NULL));
}

static int receives_an_address(void)
{
    struct sockaddr_un from;
    socklen_t size = sizeof from;
    return code(syscall(SYS_recvfrom, port(0), NULL, 0, MSG_DONTWAIT, &from, &size));
}

static int asks_a_port(void)
{
    int value;
    socklen_t size = sizeof value;
    return code(getsockopt(port(1), SOL_SOCKET, SO_TYPE, &value, &size));
}

static int asks_elsewhere(void)
{
    int value;
    socklen_t size = sizeof value;
    return code(getsockopt(3, SOL_SOCKET, SO_TYPE, &value, &size));
}

static int sets_an_option(void)
{
    int value = 1;
    return code(setsockopt(port(0), SOL_SOCKET, SO_RCVBUF, &value, sizeof value));
}

static int opens_a_socket(void)
{
    return code(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int forks(void)
{
    pid_t child = fork();
    if (!child)
        _exit(0);
    return child < 0 ? -errno : 0;
}

static int writes_a_file(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/file", folder);
    return code(open(path, O_CREAT | O_WRONLY, 0600));
}

static int reads_a_secret(void)
{
    return code(open("/etc/passwd", O_RDONLY));
}

static int reads_what_is_granted(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/readable", folder);
    return code(open(path, O_RDONLY));
}

static int hides(void)
{
    return code(prctl(PR_SET_DUMPABLE, 0));
}

static int shows(void)
{
    return code(prctl(PR_SET_DUMPABLE, 1));
}

static int outlives(void)
{
    return code(prctl(PR_SET_PDEATHSIG, 0));
}

static int allocates_shared(void)
{
    return mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -errno : 0;
}

static int waits_precisely(void)
{
#ifdef SYS_epoll_pwait2
    struct epoll_event event;
    struct timespec none = {0};
    int set = epoll_create1(0);
    return code(syscall(SYS_epoll_pwait2, set, &event, 1, &none, NULL, 0));
#else
    return 0;
#endif
}

/* As the JVM does before its first frame. */
static int gives_programs_away(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {.len = 4, .filter = filter};
    return code(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program));
}

static int executes(void)
{
    char path[64];
    char *const nothing[] = {NULL};
    snprintf(path, sizeof path, "%s/readable/true", folder);
    execve(path, nothing, nothing);
    return -errno;
}

static int executes_no_more(void)
{
    int rc = gives_programs_away();
    return rc ? rc : executes();
}

static int executes_another(void)
{
    char *const nothing[] = {NULL};
    execve("/bin/true", nothing, nothing);
    return -errno;
}

/* The status of a process that is confined as a tile and makes an attempt; the attempt's code is in *outcome. */
static int confined_tile(attempt *what, int *outcome, char *report)
{
    int result[2], ends[2];
    if (pipe2(result, 0) || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends))
        return -1;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        char path[64];
        snprintf(path, sizeof path, "%s/readable", folder);
        const char *const readable[] = {path, NULL};
        struct sandbox s = {.profile = SANDBOX_TILE, .memory_bytes = 1u << 30, .readable = readable};
        int copy = fcntl(result[1], F_DUPFD, 50);
        for (unsigned i = 0; i <= TILE_PORTS; i++)
            dup2(ends[0], port(i));
        dup2(ends[0], 3);
        sandbox_apply(&s, NULL);
        int rc = what();
        if (write(copy, &rc, sizeof rc) < 0 || write(copy, s.report, s.length) < 0)
            _exit(9);
        _exit(0);
    }
    close(result[1]);
    *outcome = 1;
    ssize_t n = read(result[0], outcome, sizeof *outcome);
    n = n > 0 ? read(result[0], report, SANDBOX_REPORT) : 0;
    report[n > 0 ? n : 0] = 0;
    close(result[0]);
    close(ends[0]);
    close(ends[1]);
    return ended(child);
}

static int outcome_of(attempt *what)
{
    char report[SANDBOX_REPORT + 1];
    int outcome;
    confined_tile(what, &outcome, report);
    return outcome;
}

static bool applied(const char *part)
{
    char report[SANDBOX_REPORT + 1], line[64];
    int outcome;
    confined_tile(hides, &outcome, report);
    snprintf(line, sizeof line, "%s: applied", part);
    return strstr(report, line);
}

static void a_tile_wakes_its_ports_and_nothing_else(void)
{
    static const struct {
        attempt *what;
        int outcome;
    } attempts[] = {
        {wakes, 0}, {receives, 0}, {asks_a_port, 0}, {waits_precisely, 0}, {hides, 0},
        {sends_bytes, -EPERM}, {sends_a_pointer, -EPERM}, {sends_far, -EPERM}, {sends_to_an_address, -EPERM}, {waits, -EPERM},
        {sends_elsewhere, -EPERM}, {sends_behind, -EPERM}, {receives_bytes, -EPERM}, {receives_an_address, -EPERM},
        {asks_elsewhere, -EPERM}, {sets_an_option, -EPERM}, {opens_a_socket, -EPERM}, {forks, -EPERM}, {writes_a_file, -EACCES},
        {shows, -EPERM}, {outlives, -EPERM}, {allocates_shared, -EPERM},
    };
    if (!applied("seccomp")) {
        CHECK_EQ(0, outcome_of(wakes));
        return;
    }
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        int outcome = outcome_of(attempts[i].what);
        if (outcome != attempts[i].outcome)
            printf("  attempt %zu: expected %d, got %d\n", i, attempts[i].outcome, outcome);
        CHECK_EQ(attempts[i].outcome, outcome);
    }
}

static void a_tile_reads_what_it_is_given(void)
{
    CHECK_EQ(0, outcome_of(reads_what_is_granted));
    if (applied("landlock"))
        CHECK_EQ(-EACCES, outcome_of(reads_a_secret));
}

static void a_program_is_executed_until_that_is_given_away(void)
{
    char report[SANDBOX_REPORT + 1];
    int outcome;
    int status = confined_tile(executes, &outcome, report);
    CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
    CHECK_EQ(1, outcome); /* the other program tells nothing */
    if (applied("landlock"))
        CHECK_EQ(-EACCES, outcome_of(executes_another));
    if (!applied("seccomp"))
        return;
    status = confined_tile(executes_no_more, &outcome, report);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
}

/* The core's end of a connection of tile-host that runs `program` as its JVM, behind the page. */
static int start_host(const char *program, pid_t *child)
{
    char name[32], home[64];
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    int length = snprintf(name, sizeof name, "isle-tile-test-%d", getpid());
    memcpy(at.sun_path + 1, name, (size_t)length);
    snprintf(home, sizeof home, "%s/%s", folder, program);
    if (bind(listener, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) ||
        listen(listener, 1))
        return -1;
    fflush(stdout);
    *child = fork();
    if (!*child) {
        execl(test_file("tile-host"), "tile-host", name, home, "--memory=1073741824", "--", "x", (char *)NULL);
        _exit(99);
    }
    int core = accept(listener, NULL, NULL);
    close(listener);
    return core;
}

static int send_page(int core)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    char greeting[8] = {0};
    struct iovec part = {greeting, sizeof greeting};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int page = memfd_create("page", MFD_CLOEXEC);
    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof page), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &page, sizeof page);
    int rc = ftruncate(page, 4096) || sendmsg(core, &message, 0) < 0 ? -errno : 0;
    close(page);
    return rc;
}

/* The stub is this program: it reports the descriptors that it has. */
static void tile_host_becomes_its_program_with_numbered_descriptors(void)
{
    char report[SANDBOX_REPORT + 1] = "", answer[256] = "";
    pid_t child;
    int status, core = start_host("jdk", &child);
    CHECK(core >= 0);
    CHECK_EQ(0, send_page(core));
    CHECK(recv(core, report, sizeof report - 1, 0) > 0);
    CHECK(strstr(report, "profile: applied (tile)\n"));
    CHECK(strstr(report, "ends-with-core: applied"));
    CHECK(recv(core, answer, sizeof answer - 1, 0) > 0);
    status = ended(child);
    close(core);
    CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
    if (strcmp(answer, "0 1 2 3 4 10 11 "))
        printf("  %s\n", answer);
    CHECK(!strcmp(answer, "0 1 2 3 4 10 11 "));
}

static void a_host_without_its_core_or_program_says_why(void)
{
    char report[SANDBOX_REPORT + 1] = "";
    pid_t child;
    int status, core = start_host("none", &child);
    CHECK(core >= 0);
    CHECK_EQ(0, send_page(core));
    CHECK(recv(core, report, sizeof report - 1, 0) > 0);
    status = ended(child);
    close(core);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    core = start_host("jdk", &child);
    CHECK(send(core, "short", 5, 0) == 5);
    status = ended(child);
    close(core);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void wrong_options_are_told(void)
{
    static const char *const wrong[] = {"--memory=", "--memory=1x", "--memory=-1", "--read=", "--read=x", "--cache=/x", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            if (!freopen("/dev/null", "w", stderr))
                _exit(99);
            execl(test_file("tile-host"), "tile-host", "nobody", "/nowhere", wrong[i], "--", "x", (char *)NULL);
            _exit(99);
        }
        int status = ended(child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 2)
            printf("  %s: status %x\n", wrong[i], status);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    }
}

static const struct test tests[] = {
    TEST(a_tile_wakes_its_ports_and_nothing_else),
    TEST(a_tile_reads_what_it_is_given),
    TEST(a_program_is_executed_until_that_is_given_away),
    TEST(tile_host_becomes_its_program_with_numbered_descriptors),
    TEST(a_host_without_its_core_or_program_says_why),
    TEST(wrong_options_are_told),
};

/* In the place of java: sends the numbers of its descriptors to the core. */
static int stub(void)
{
    char text[256] = "";
    int length = 0;
    for (int fd = 0; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            length += snprintf(text + length, sizeof text - (size_t)length, "%d ", fd);
    return write(3, text, (size_t)length) == length ? 0 : 8;
}

static int copy_file(const char *from, const char *to)
{
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    ssize_t count = -1;
    while (in >= 0 && out >= 0 && (count = sendfile(out, in, NULL, 1 << 20)) > 0) {
    }
    return close(in) || close(out) || count; /* nothing executes a file that is open for writing */
}

int main(int argc, char **argv)
{
    char path[96];
    const char *name = strrchr(argv[0], '/');
    if (!strcmp(name ? name + 1 : argv[0], "java"))
        return stub();
    if (!mkdtemp(folder))
        return 2;
    static const char *const folders[] = {"readable", "jdk", "jdk/bin", "none"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        if (mkdir(path, 0755))
            return 2;
    }
    snprintf(path, sizeof path, "%s/readable/true", folder);
    if (copy_file("/bin/true", path))
        return 2;
    snprintf(path, sizeof path, "%s/jdk/bin/java", folder);
    if (copy_file(test_file("tile-test"), path))
        return 2;
    int failed = run_tests("tile", tests, sizeof tests / sizeof tests[0], argc, argv);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) || failed;
}
