import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change to the files of a folder, or a sync of one of them or of the folder itself. Paths are below the folder. */
export type DiskCall = {
  /** Size of the trace after this call, which tells whether the call came before another event. */
  readonly endsAt: number;
  readonly name: string;
} & (
  | { readonly kind: 'write'; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  | { readonly kind: 'sync' | 'unlink' }
  | { readonly kind: 'rename' | 'link'; readonly to: string }
);

/**
 * Replaces functions of the C library, and appends each successful call to a trace: kind, length of the name, offset,
 * length of the data, name, data. A lock lets one call run at a time, so the trace has their order.
 */
const source = `
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <fcntl.h>
  #include <pthread.h>
  #include <stdint.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <sys/syscall.h>
  #include <sys/uio.h>
  #include <unistd.h>

  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  static const char *below(const char *path) {
    const char *folder = getenv("RECORDED_FOLDER");
    size_t size = strlen(folder);
    if (strncmp(path, folder, size) != 0) return NULL;
    return path[size] == '/' ? path + size + 1 : path[size] == 0 ? "." : NULL;
  }
  /* A path by way of an open folder is that of a file in it. */
  static const char *by_name(const char *path, char *buffer, size_t size) {
    int fd, start = 0;
    char link[64];
    if (sscanf(path, "/proc/self/fd/%d/%n", &fd, &start) != 1 || start == 0) return path;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, buffer, size - 1);
    if (length <= 0) return path;
    snprintf(buffer + length, size - length, "/%s", path + start);
    return buffer;
  }
  static const char *name_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length <= 0) return NULL;
    path[length] = 0;
    return below(path);
  }
  static void record(char kind, const char *name, uint64_t offset, const void *data, uint32_t size) {
    static int trace = -1;
    if (trace < 0) trace = syscall(SYS_openat, AT_FDCWD, getenv("TRACE_FILE"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    char head[15];
    uint16_t length = strlen(name);
    head[0] = kind;
    memcpy(head + 1, &length, 2);
    memcpy(head + 3, &offset, 8);
    memcpy(head + 11, &size, 4);
    struct iovec parts[] = { { head, sizeof head }, { (void *) name, length }, { (void *) data, size } };
    if (syscall(SYS_writev, trace, parts, 3) != (long) (sizeof head + length + size)) abort();
  }
  #define NEXT(name, type) ((type) dlsym(RTLD_NEXT, name))
  #define BEGIN char path[4096]; pthread_mutex_lock(&turn);
  #define END pthread_mutex_unlock(&turn); return result;

  static ssize_t write_at(const char *by, int fd, const void *data, size_t size, off64_t offset) {
    BEGIN
    ssize_t result = NEXT(by, ssize_t (*)(int, const void *, size_t, off64_t))(fd, data, size, offset);
    const char *name = result > 0 ? name_of(fd, path, sizeof path) : NULL;
    if (name) record('w', name, offset, data, result);
    END
  }
  ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return write_at("pwrite", fd, data, size, offset); }
  ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) { return write_at("pwrite64", fd, data, size, offset); }
  ssize_t write(int fd, const void *data, size_t size) {
    char path[4096];
    if (!name_of(fd, path, sizeof path)) return syscall(SYS_write, fd, data, size);
    pthread_mutex_lock(&turn);
    off_t offset = lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
    ssize_t result = NEXT("write", ssize_t (*)(int, const void *, size_t))(fd, data, size);
    if (result > 0) record('w', below(path), offset, data, result);
    END
  }
  static int cut(const char *by, int fd, off64_t size) {
    BEGIN
    int result = NEXT(by, int (*)(int, off64_t))(fd, size);
    const char *name = result == 0 ? name_of(fd, path, sizeof path) : NULL;
    if (name) record('t', name, size, "", 0);
    END
  }
  int ftruncate(int fd, off_t size) { return cut("ftruncate", fd, size); }
  int ftruncate64(int fd, off64_t size) { return cut("ftruncate64", fd, size); }
  static int sync_by(const char *by, int fd) {
    BEGIN
    int result = NEXT(by, int (*)(int))(fd);
    const char *name = result == 0 ? name_of(fd, path, sizeof path) : NULL;
    if (name) record('s', name, 0, "", 0);
    END
  }
  int fsync(int fd) { return sync_by("fsync", fd); }
  int fdatasync(int fd) { return sync_by("fdatasync", fd); }
  static int move_by(const char *by, char kind, const char *given, const char *given_to) {
    char path_to[4096];
    BEGIN
    const char *from = by_name(given, path, sizeof path), *to = by_name(given_to, path_to, sizeof path_to);
    int result = NEXT(by, int (*)(const char *, const char *))(given, given_to);
    if (result == 0 && below(from) && below(to)) record(kind, below(from), 0, below(to), strlen(below(to)));
    END
  }
  int rename(const char *from, const char *to) { return move_by("rename", 'r', from, to); }
  int link(const char *from, const char *to) { return move_by("link", 'l', from, to); }
  int unlink(const char *given) {
    BEGIN
    const char *from = by_name(given, path, sizeof path);
    int result = NEXT("unlink", int (*)(const char *))(given);
    if (result == 0 && below(from)) record('u', below(from), 0, "", 0);
    END
  }
`;

/** Compiles the recorder; `undefined` without Linux or a C compiler. */
export function compileRecorder(folder: string): string | undefined {
  const [code, library] = [join(folder, 'recorder.c'), join(folder, 'recorder.so')];
  writeFileSync(code, source);
  const flags = ['-shared', '-fPIC', '-w', '-o', library, code, '-ldl', '-lpthread'];
  if (process.platform !== 'linux' || spawnSync('cc', flags).status !== 0) return undefined;
  return library;
}

/** Returns the environment of a process whose changes to a folder go to a trace. */
export function recordedBy(
  library: string,
  { folder, trace }: { readonly folder: string; readonly trace: string },
) {
  return { LD_PRELOAD: library, RECORDED_FOLDER: folder, TRACE_FILE: trace, NODE_COMPILE_CACHE: '' };
}

const headBytes = 15;

export function readTrace(file: string): readonly DiskCall[] {
  const trace = readFileSync(file);
  const calls: DiskCall[] = [];
  for (let at = 0; at + headBytes <= trace.length; ) {
    const kind = trace.toString('latin1', at, at + 1);
    const nameAt = at + headBytes;
    const dataAt = nameAt + trace.readUInt16LE(at + 1);
    const offset = Number(trace.readBigUInt64LE(at + 3));
    at = dataAt + trace.readUInt32LE(at + 11);
    const found = { endsAt: at, name: trace.toString('utf8', nameAt, dataAt) };
    const data = trace.subarray(dataAt, at);
    if (kind === 'w') calls.push({ ...found, kind: 'write', offset, data });
    else if (kind === 't') calls.push({ ...found, kind: 'truncate', size: offset });
    else if (kind === 's') calls.push({ ...found, kind: 'sync' });
    else if (kind === 'u') calls.push({ ...found, kind: 'unlink' });
    else calls.push({ ...found, kind: kind === 'r' ? 'rename' : 'link', to: data.toString() });
  }
  return calls;
}
