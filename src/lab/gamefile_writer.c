/* A block is gathered in memory and written by one call, at the end of a file that nobody else may
 * write (flock). A write that fails is taken back, so the file is whole at any moment but within
 * that call; who is killed there leaves a torn block, which the next writer cuts off.
 *
 * The lock is on a file, not on a name: between opening and locking it, whoever had the lock may
 * have finished, and given the file its name for good, or removed it. So the name is looked at
 * again once the lock is had; and a finished file never takes the place of another. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "base/memory.h"
#include "lab/gameblock.h"

enum { PATH_BYTES_MAX = 4096, FILE_MODE = 0644 };

static const char UNFINISHED[] = ".part";

struct gamefile_writer {
    int descriptor;
    bool is_created; /* It has another name until it is finished. */
    uint32_t block_bytes;
    struct gamefile_summary summary;
    struct gamefile_block block; /* That is gathered; `offset` is where it will stand. */
    char path[PATH_BYTES_MAX];
    uint8_t bytes[BLOCK_HEADER_BYTES + GAMEFILE_BLOCK_BYTES_MAX];
};

/* "PATH.part", while a file is being made. */
static void unfinished_path(const char *path, char out_path[PATH_BYTES_MAX + sizeof UNFINISHED])
{
    (void)snprintf(out_path, PATH_BYTES_MAX + sizeof UNFINISHED, "%s%s", path, UNFINISHED);
}

static enum gamefile_fault writer_open(const char *path, const char *opened_path,
                                       uint32_t block_bytes, struct gamefile_writer **out_writer)
{
    if (strlen(path) >= PATH_BYTES_MAX) {
        errno = ENAMETOOLONG;
        return GAMEFILE_SYSTEM;
    }
    struct gamefile_writer *writer = memory_allocate(sizeof *writer);
    if (writer == NULL)
        return GAMEFILE_NO_MEMORY;
    memcpy(writer->path, path, strlen(path) + 1);
    writer->block_bytes = block_bytes;
    writer->descriptor = open(opened_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, FILE_MODE);
    enum gamefile_fault fault = GAMEFILE_FINE;
    if (writer->descriptor < 0)
        fault = GAMEFILE_SYSTEM;
    else if (flock(writer->descriptor, LOCK_EX | LOCK_NB) != 0)
        fault = errno == EWOULDBLOCK ? GAMEFILE_BUSY : GAMEFILE_SYSTEM;
    else if (!file_has_name(writer->descriptor, opened_path))
        fault = GAMEFILE_BUSY; /* It was, a moment ago. */
    if (fault != GAMEFILE_FINE)
        gamefile_abandon(writer);
    else
        *out_writer = writer;
    return fault;
}

/* What is kept: all whole blocks, but not the last one if its pages did not all reach the disk. */
static enum gamefile_fault whole_summary(const struct gamefile *file,
                                         struct gamefile_summary *out_summary)
{
    struct gamefile_cursor *cursor;
    *out_summary = *gamefile_summary(file);
    if (out_summary->blocks == 0)
        return GAMEFILE_FINE;
    enum gamefile_fault fault = gamefile_cursor_create(&cursor);
    if (fault != GAMEFILE_FINE)
        return fault;
    fault = gamefile_load(file, out_summary->blocks - 1, cursor);
    gamefile_cursor_destroy(cursor);
    if (fault != GAMEFILE_CHECKSUM)
        return fault;
    const struct gamefile_block *last = gamefile_block(file, --out_summary->blocks);
    out_summary->games -= last->games;
    out_summary->positions -= last->positions;
    out_summary->tail_bytes += out_summary->bytes - last->offset;
    out_summary->bytes = last->offset;
    return GAMEFILE_FINE;
}

/* With the lock held. */
static enum gamefile_fault tail_cut(struct gamefile_writer *writer, uint64_t *out_cut_bytes)
{
    struct gamefile *file;
    enum gamefile_fault fault = gamefile_open(writer->path, &file);
    if (fault != GAMEFILE_FINE)
        return fault;
    fault = gamefile_summary(file)->gaps > 0 || gamefile_summary(file)->is_tail_broken
                ? GAMEFILE_HEADER
                : whole_summary(file, &writer->summary);
    gamefile_close(file);
    if (fault != GAMEFILE_FINE)
        return fault;
    writer->block.offset = writer->summary.bytes;
    *out_cut_bytes = writer->summary.tail_bytes;
    writer->summary.tail_bytes = 0;
    if (*out_cut_bytes > 0 && (ftruncate(writer->descriptor, (off_t)writer->block.offset) != 0 ||
                               fsync(writer->descriptor) != 0))
        return GAMEFILE_SYSTEM;
    return GAMEFILE_FINE;
}

enum gamefile_fault gamefile_append(const char *path, uint32_t block_bytes,
                                    struct gamefile_writer **out_writer, uint64_t *out_cut_bytes)
{
    REQUIRE(block_bytes >= 1 && block_bytes <= GAMEFILE_BLOCK_BYTES_MAX);
    struct gamefile_writer *writer;
    enum gamefile_fault fault = writer_open(path, path, block_bytes, &writer);
    if (fault != GAMEFILE_FINE)
        return fault;
    fault = tail_cut(writer, out_cut_bytes);
    if (fault != GAMEFILE_FINE) {
        gamefile_abandon(writer);
        return fault;
    }
    file_force_name(path); /* It may be new. */
    *out_writer = writer;
    return fault;
}

/* With the lock held: whether nothing is there, or what one that was killed may have left. */
static enum gamefile_fault part_check(const char *path)
{
    struct gamefile *file;
    const enum gamefile_fault fault = gamefile_open(path, &file);
    if (fault == GAMEFILE_FINE)
        gamefile_close(file);
    const bool is_other =
        fault == GAMEFILE_ALIEN || fault == GAMEFILE_BYTE_ORDER || fault == GAMEFILE_OTHER_VERSION;
    return is_other ? GAMEFILE_PART : fault;
}

enum gamefile_fault gamefile_create(const char *path, struct gamefile_writer **out_writer)
{
    char opened_path[PATH_BYTES_MAX + sizeof UNFINISHED];
    struct gamefile_writer *writer;
    if (access(path, F_OK) == 0)
        return GAMEFILE_EXISTS;
    unfinished_path(path, opened_path);
    enum gamefile_fault fault = writer_open(path, opened_path, GAMEFILE_BLOCK_BYTES, &writer);
    if (fault != GAMEFILE_FINE)
        return fault;
    fault = part_check(opened_path);
    if (fault != GAMEFILE_FINE) {
        gamefile_abandon(writer);
        return fault;
    }
    writer->is_created = true;
    const bool is_there = access(path, F_OK) == 0; /* Since the lock is had, for good. */
    /* One that was killed may have left some. */
    if (is_there || ftruncate(writer->descriptor, 0) != 0) {
        gamefile_abandon(writer);
        return is_there ? GAMEFILE_EXISTS : GAMEFILE_SYSTEM;
    }
    *out_writer = writer;
    return GAMEFILE_FINE;
}

const struct gamefile_summary *gamefile_written(const struct gamefile_writer *writer)
{
    return &writer->summary;
}

static bool write_all(int descriptor, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t done = write(descriptor, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

enum gamefile_fault gamefile_flush(struct gamefile_writer *writer)
{
    struct gamefile_block *block = &writer->block;
    if (block->games == 0)
        return GAMEFILE_FINE;
    block_header_write(writer->bytes, block);
    const uint32_t length = BLOCK_HEADER_BYTES + block->bytes;
    if (!write_all(writer->descriptor, writer->bytes, length) ||
        (!writer->is_created && fdatasync(writer->descriptor) != 0)) {
        const int error = errno;
        (void)!ftruncate(writer->descriptor, (off_t)block->offset);
        errno = error;
        return GAMEFILE_SYSTEM;
    }
    *block = (struct gamefile_block){.offset = block->offset + length};
    writer->summary.blocks++;
    writer->summary.bytes = block->offset;
    return GAMEFILE_FINE;
}

/* Where the next game's bytes go, behind those that wait. */
static enum gamefile_fault room_make(struct gamefile_writer *writer, uint32_t length,
                                     uint8_t **out_bytes)
{
    if (writer->block.bytes + length > GAMEFILE_BLOCK_BYTES_MAX) {
        const enum gamefile_fault fault = gamefile_flush(writer);
        if (fault != GAMEFILE_FINE)
            return fault;
    }
    *out_bytes = writer->bytes + BLOCK_HEADER_BYTES + writer->block.bytes;
    return GAMEFILE_FINE;
}

static enum gamefile_fault game_count(struct gamefile_writer *writer, unsigned plies)
{
    writer->block.bytes += GAME_HEADER_BYTES + plies * PLY_BYTES;
    writer->block.games++;
    writer->block.positions += plies;
    writer->summary.games++;
    writer->summary.positions += plies;
    return writer->block.bytes < writer->block_bytes ? GAMEFILE_FINE : gamefile_flush(writer);
}

enum gamefile_fault gamefile_add(struct gamefile_writer *writer, const struct gamefile_game *game,
                                 const struct gamefile_ply *plies)
{
    REQUIRE(game->plies <= GAMEFILE_PLIES_MAX && game->white_points <= 2 &&
            game->end < GAMEFILE_END_COUNT && game->pawn >= 1 && game->pawn <= UINT16_MAX);
    uint8_t *bytes;
    const enum gamefile_fault fault =
        room_make(writer, GAME_HEADER_BYTES + game->plies * PLY_BYTES, &bytes);
    if (fault != GAMEFILE_FINE)
        return fault;
    game_header_write(bytes, game);
    for (unsigned i = 0; i < game->plies; i++)
        ply_write(bytes + GAME_HEADER_BYTES + i * PLY_BYTES, &plies[i]);
    return game_count(writer, game->plies);
}

enum gamefile_fault gamefile_add_bytes(struct gamefile_writer *writer, const uint8_t *bytes,
                                       uint32_t length, unsigned plies)
{
    REQUIRE(plies <= GAMEFILE_PLIES_MAX && length == GAME_HEADER_BYTES + plies * PLY_BYTES);
    uint8_t *room;
    const enum gamefile_fault fault = room_make(writer, length, &room);
    if (fault != GAMEFILE_FINE)
        return fault;
    memcpy(room, bytes, length);
    return game_count(writer, plies);
}

/* Its name for good, unless something else has got it meanwhile. */
static enum gamefile_fault name_give(struct gamefile_writer *writer)
{
    char opened_path[PATH_BYTES_MAX + sizeof UNFINISHED];
    unfinished_path(writer->path, opened_path);
    if (fsync(writer->descriptor) != 0)
        return GAMEFILE_SYSTEM;
    int outcome = renameat2(AT_FDCWD, opened_path, AT_FDCWD, writer->path, RENAME_NOREPLACE);
    if (outcome != 0 && (errno == EINVAL || errno == ENOSYS)) { /* Such file systems there are. */
        if (access(writer->path, F_OK) == 0)
            return GAMEFILE_EXISTS;
        outcome = rename(opened_path, writer->path);
    }
    if (outcome != 0)
        return errno == EEXIST ? GAMEFILE_EXISTS : GAMEFILE_SYSTEM;
    writer->is_created = false; /* It stays. */
    file_force_name(writer->path);
    return GAMEFILE_FINE;
}

enum gamefile_fault gamefile_finish(struct gamefile_writer *writer)
{
    enum gamefile_fault fault = gamefile_flush(writer);
    if (fault == GAMEFILE_FINE && writer->is_created)
        fault = name_give(writer);
    gamefile_abandon(writer);
    return fault;
}

void gamefile_abandon(struct gamefile_writer *writer)
{
    if (writer == NULL)
        return;
    const int error = errno;
    if (writer->is_created) {
        char opened_path[PATH_BYTES_MAX + sizeof UNFINISHED];
        unfinished_path(writer->path, opened_path);
        (void)unlink(opened_path);
    }
    if (writer->descriptor >= 0)
        close(writer->descriptor);
    errno = error;
    memory_free(writer);
}
