/* LD_PRELOAD library: records what a process asks of the files in one folder, and lets the N-th of those calls fail.
 *
 * It stands where the C library is called, so SQLite and Python are those of the program, and no line of either differs.
 * A record is `struct head`, then its path or data; tests/proofs/disk.py reads them. Of a write and a sync `flags` is the
 * thread. Answers over a socket that tell a
 * revision are recorded before they are sent, in the same order: what was told to be stored stands behind its syncs.
 *
 *   DISK_FOLDER  the folder; calls on other files pass
 *   DISK_LOG     where the records go; none without it
 *   DISK_FAULT   classes,number,errno,how: see `disk_fault`
 */
#define _GNU_SOURCE
#if !__LP64__
#error "system calls are made here as 64-bit machines make them"
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, SEND, SYNC_FOLDER, FAULT };
enum { ON_WRITE = 1, ON_SYNC = 2, ON_TRUNCATE = 4, ON_OPEN = 8, ON_RENAME = 16, ON_UNLINK = 32, ON_READ = 64 };
enum { ONCE, LASTING, SHORT, KILL };
enum { MOST_FDS = 4096, MOST_TOLD = 1 << 16 };

struct head { uint32_t what, flags; uint64_t file, offset, length; };

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char folder[PATH_MAX];
static int record_fd = -1, classes, how, fault_errno;
static long number, calls;
static struct { uint64_t file; int is_ours, is_folder; } open_files[MOST_FDS];

/* Let call `number` (from 1) of these classes fail from now on: once, or each from there, as half a write, or end
 * the process. */
void disk_fault(int of_classes, long of_number, int with_errno, int in_way) {
    pthread_mutex_lock(&lock);
    classes = of_classes, number = of_number, fault_errno = with_errno, how = in_way, calls = 0;
    pthread_mutex_unlock(&lock);
}

/* How many calls of these classes there were since. */
long disk_calls(void) { return calls; }

/* From now on it is this folder. */
void disk_watch(const char *path) { snprintf(folder, sizeof folder, "%s", path); }

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DISK_FOLDER"), *log = getenv("DISK_LOG"), *fault = getenv("DISK_FAULT");
    if (path) disk_watch(path);
    if (log) record_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fault) sscanf(fault, "%d,%ld,%d,%d", &classes, &number, &fault_errno, &how);
}

static void record(uint32_t what, uint32_t flags, uint64_t file, uint64_t offset, const void *data, size_t length) {
    if (record_fd < 0) return;
    if (what == WRITE || what == SYNC) flags = gettid();
    struct head head = {what, flags, file, offset, length};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, length}};
    int before = errno;
    (void)!syscall(SYS_writev, record_fd, parts, data ? 2 : 1);
    errno = before;
}

/* Whether this call fails; errno is set then. */
static int fails(int class) {
    if (!(classes & class)) return 0;
    calls++;
    long last = how == LASTING ? calls : how == SHORT ? number + 1 : number;
    if (!number || calls < number || calls > last) return 0;
    record(FAULT, class, 0, calls, NULL, 0);
    if (how == KILL) kill(getpid(), SIGKILL);
    errno = fault_errno;
    return 1;
}

static int is_ours(int fd) { return fd >= 0 && fd < MOST_FDS && open_files[fd].is_ours; }

static int is_inside(const char *path) {
    size_t n = strlen(folder);
    return n && !strncmp(path, folder, n) && (path[n] == '/' || !path[n]);
}

/* The absolute path of what a call names. */
static void whole_path(int at, const char *path, char *whole) {
    char link[64], base[PATH_MAX] = "";
    if (*path == '/') { snprintf(whole, PATH_MAX, "%s", path); return; }
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    (void)!readlink(link, base, sizeof base - 1);
    if ((size_t)snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) *whole = 0;
}

static int open_file(int at, const char *path, int flags, mode_t mode) {
    char whole[PATH_MAX];
    struct stat found;
    whole_path(at, path, whole);
    if (!is_inside(whole)) {
        int other = syscall(SYS_openat, at, path, flags, mode);
        if (other >= 0 && other < MOST_FDS) open_files[other].is_ours = 0;
        return other;
    }
    pthread_mutex_lock(&lock);
    int fd = -1, is_new = (flags & O_CREAT) && fstatat(at, path, &found, AT_SYMLINK_NOFOLLOW);
    if (!fails(ON_OPEN)) fd = syscall(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && fd < MOST_FDS && !fstat(fd, &found)) {
        open_files[fd].is_ours = 1, open_files[fd].file = found.st_ino, open_files[fd].is_folder = S_ISDIR(found.st_mode);
        if (!open_files[fd].is_folder) record(OPEN, is_new, found.st_ino, 0, whole, strlen(whole));
        if (flags & O_TRUNC) record(TRUNCATE, 0, found.st_ino, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

#define MODE_OF(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { MODE_OF(flags) return open_file(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE_OF(flags) return open_file(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE_OF(flags) return open_file(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE_OF(flags) return open_file(at, path, flags | O_LARGEFILE, mode); }
int __open_2(const char *path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_file(AT_FDCWD, path, flags | O_LARGEFILE, 0); }
int __openat_2(int at, const char *path, int flags) { return open_file(at, path, flags, 0); }
int __openat64_2(int at, const char *path, int flags) { return open_file(at, path, flags | O_LARGEFILE, 0); }

int close(int fd) {
    if (fd == record_fd && fd >= 0) return 0; /* Python closes what a child should not have */
    if (is_ours(fd)) open_files[fd].is_ours = 0;
    return syscall(SYS_close, fd);
}

/* An answer that tells what has been stored; the first MOST_TOLD bytes of it do. */
static void note_answer(const void *data, size_t length) {
    if (record_fd < 0 || length < 12 || !memmem(data, length, "\"revision\"", 10)) return;
    pthread_mutex_lock(&lock);
    record(SEND, 0, 0, 0, data, length < MOST_TOLD ? length : MOST_TOLD);
    pthread_mutex_unlock(&lock);
}

static ssize_t write_at(int fd, const void *data, size_t length, off64_t offset, int is_positioned) {
    if (!is_ours(fd)) {
        if (!is_positioned) note_answer(data, length);
        return is_positioned ? syscall(SYS_pwrite64, fd, data, length, offset) : syscall(SYS_write, fd, data, length);
    }
    pthread_mutex_lock(&lock);
    int failing = fails(ON_WRITE), before = errno;
    int is_short = failing && how == SHORT && calls == number;
    size_t wanted = is_short ? length / 2 : failing ? 0 : length;
    off64_t place = is_positioned ? offset : lseek64(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    ssize_t done = -1;
    errno = before;
    if (wanted) done = is_positioned ? syscall(SYS_pwrite64, fd, data, wanted, offset) : syscall(SYS_write, fd, data, wanted);
    if (done > 0) record(WRITE, 0, open_files[fd].file, place, data, done);
    if (failing && !is_short) { errno = fault_errno; done = -1; }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return write_at(fd, data, length, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return write_at(fd, data, length, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return write_at(fd, data, length, offset, 1); }
ssize_t send(int fd, const void *data, size_t length, int flags) {
    note_answer(data, length);
    return syscall(SYS_sendto, fd, data, length, flags, NULL, 0);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    for (size_t n = 0; n < message->msg_iovlen; n++) note_answer(message->msg_iov[n].iov_base, message->msg_iov[n].iov_len);
    return syscall(SYS_sendmsg, fd, message, flags);
}
/* Copies within the kernel are refused, so that Python copies by reading and writing. */
ssize_t sendfile(int out, int in, off_t *offset, size_t count) { errno = ENOTSOCK; return -1; }
ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) { errno = ENOTSOCK; return -1; }
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags) { errno = ENOSYS; return -1; }

static ssize_t read_at(int fd, void *data, size_t length, off64_t offset, int is_positioned) {
    if (is_ours(fd) && !open_files[fd].is_folder && (classes & ON_READ)) {
        pthread_mutex_lock(&lock);
        int failing = fails(ON_READ);
        pthread_mutex_unlock(&lock);
        if (failing) return -1;
    }
    return is_positioned ? syscall(SYS_pread64, fd, data, length, offset) : syscall(SYS_read, fd, data, length);
}
ssize_t read(int fd, void *data, size_t length) { return read_at(fd, data, length, 0, 0); }
ssize_t pread(int fd, void *data, size_t length, off_t offset) { return read_at(fd, data, length, offset, 1); }
ssize_t pread64(int fd, void *data, size_t length, off64_t offset) { return read_at(fd, data, length, offset, 1); }

static int sync_file(int fd, long call) {
    if (!is_ours(fd)) return syscall(call, fd);
    pthread_mutex_lock(&lock);
    int done = fails(ON_SYNC) ? -1 : (int)syscall(call, fd);
    if (!done) record(open_files[fd].is_folder ? SYNC_FOLDER : SYNC, 0, open_files[fd].file, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}
int fsync(int fd) { return sync_file(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_file(fd, SYS_fdatasync); }

int ftruncate64(int fd, off64_t length) {
    if (!is_ours(fd)) return syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&lock);
    int done = fails(ON_TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, length);
    if (!done) record(TRUNCATE, 0, open_files[fd].file, length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return done;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/* Both paths of a rename stand in one record, with a zero between them. */
static int rename_file(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    char paths[2 * PATH_MAX];
    whole_path(from_at, from, paths);
    size_t first = strlen(paths) + 1;
    whole_path(to_at, to, paths + first);
    if (!is_inside(paths) && !is_inside(paths + first)) return syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    pthread_mutex_lock(&lock);
    int done = fails(ON_RENAME) ? -1 : (int)syscall(SYS_renameat2, from_at, from, to_at, to, flags);
    if (!done) record(RENAME, 0, 0, 0, paths, first + strlen(paths + first));
    pthread_mutex_unlock(&lock);
    return done;
}
int rename(const char *from, const char *to) { return rename_file(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int a, const char *from, int b, const char *to) { return rename_file(a, from, b, to, 0); }

static int unlink_file(int at, const char *path, int flags) {
    char whole[PATH_MAX];
    whole_path(at, path, whole);
    if (!is_inside(whole)) return syscall(SYS_unlinkat, at, path, flags);
    pthread_mutex_lock(&lock);
    int done = fails(ON_UNLINK) ? -1 : (int)syscall(SYS_unlinkat, at, path, flags);
    if (!done) record(UNLINK, flags, 0, 0, whole, strlen(whole));
    pthread_mutex_unlock(&lock);
    return done;
}
int unlink(const char *path) { return unlink_file(AT_FDCWD, path, 0); }
int unlinkat(int at, const char *path, int flags) { return unlink_file(at, path, flags); }
