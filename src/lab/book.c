#include "lab/book.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/crc.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"

struct entry {
    size_t begin, length; /* Of its text in the file. */
};

struct book {
    char *bytes;
    size_t length;
    struct entry *entries;
    size_t count;
    size_t begin; /* Past a byte order mark. */
    enum book_use use;
    unsigned plies_max;
    bool is_pgn;
};

enum { FILE_BYTES_MAX = 1 << 30 };

static const uint8_t BYTE_ORDER_MARK[] = {0xef, 0xbb, 0xbf}; /* Of UTF-8. */

/* The whole file; errno tells why not. */
static enum rk_status file_read(const char *path, struct book *book)
{
    FILE *file = file_open_stream(path);
    if (file == NULL)
        return RK_SYSTEM;
    enum rk_status status = RK_SYSTEM;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && size <= FILE_BYTES_MAX &&
        fseek(file, 0, SEEK_SET) == 0) {
        book->length = (size_t)size;
        book->bytes = memory_allocate(book->length + 1);
        status = RK_NO_MEMORY;
        if (book->bytes != NULL)
            status = fread(book->bytes, 1, book->length, file) == book->length ? RK_OK : RK_SYSTEM;
    } else if (size > FILE_BYTES_MAX) {
        errno = EFBIG;
    }
    const int error = errno;
    (void)fclose(file);
    errno = error;
    return status;
}

static size_t line_end(const struct book *book, size_t at)
{
    while (at < book->length && book->bytes[at] != '\n')
        at++;
    return at;
}

/* A game ends where a tag stands behind moves. */
static size_t game_end(const struct book *book, size_t at)
{
    bool has_moves = false;
    while (at < book->length) {
        const char first = book->bytes[at];
        if (first == '[' && has_moves)
            break;
        has_moves |= first != '[' && (unsigned char)first > ' ';
        at = line_end(book, at) + 1;
    }
    return at < book->length ? at : book->length;
}

static enum rk_status text_parse(const struct book *book, struct slice text,
                                 struct opening *out_opening)
{
    return book->is_pgn ? opening_parse_pgn(text, book->plies_max, out_opening)
                        : opening_parse_line(text, out_opening);
}

/* NULL, or why this is no opening. */
static const char *text_fault(const struct book *book, struct slice text)
{
    struct opening opening;
    struct rk_game end;
    const enum rk_status status = text_parse(book, text, &opening);
    if (status != RK_OK)
        return rk_status_text(status);
    if (book->use == BOOK_POSITIONS)
        return NULL;
    opening_end(&opening, &end);
    return rk_game_outcome(&end) == RK_GAME_OPEN ? NULL : "the game is over there";
}

/* Walks over the texts of the file and keeps those that are openings; without entries to keep them
 * in it only counts. */
static void entries_find(struct book *book, struct book_faults *faults)
{
    size_t end, texts = 0;
    unsigned line = 1;
    *faults = (struct book_faults){.count = 0};
    for (size_t begin = book->begin; begin < book->length; begin = end) {
        end = book->is_pgn ? game_end(book, begin) : line_end(book, begin) + 1;
        if (end > book->length)
            end = book->length;
        const struct slice text = slice_trim((struct slice){book->bytes + begin, end - begin});
        if (text.length > 0 && text.bytes[0] != '#') {
            texts++;
            const char *why = book->entries == NULL ? NULL : text_fault(book, text);
            if (why == NULL && book->entries != NULL)
                book->entries[book->count++] =
                    (struct entry){(size_t)(text.bytes - book->bytes), text.length};
            else if (why != NULL && faults->count++ == 0)
                *faults = (struct book_faults){1, line, why};
        }
        for (size_t i = begin; i < end; i++)
            line += book->bytes[i] == '\n';
    }
    if (book->entries == NULL)
        book->count = texts;
}

/* Finds what is in the bytes; RK_BAD_ARGUMENT when that is nothing. */
static enum rk_status book_index(struct book *book, struct book_faults *out_faults)
{
    if (book->length >= sizeof BYTE_ORDER_MARK &&
        memcmp(book->bytes, BYTE_ORDER_MARK, sizeof BYTE_ORDER_MARK) == 0)
        book->begin = sizeof BYTE_ORDER_MARK;
    const struct slice text =
        slice_trim((struct slice){book->bytes + book->begin, book->length - book->begin});
    book->is_pgn = text.length > 0 && text.bytes[0] == '[';
    entries_find(book, out_faults);
    if (book->count == 0)
        return RK_BAD_ARGUMENT;
    book->entries = memory_allocate(book->count * sizeof *book->entries);
    if (book->entries == NULL)
        return RK_NO_MEMORY;
    book->count = 0;
    entries_find(book, out_faults);
    return book->count == 0 ? RK_BAD_ARGUMENT : RK_OK;
}

/* Reads a file, or copies a text. */
static enum rk_status book_fill(struct book *book, const char *path, struct slice text)
{
    if (path != NULL)
        return file_read(path, book);
    book->length = text.length;
    book->bytes = memory_allocate(text.length + 1);
    if (book->bytes == NULL)
        return RK_NO_MEMORY;
    memcpy(book->bytes, text.bytes, text.length);
    return RK_OK;
}

static enum rk_status book_make(const char *path, struct slice text, enum book_use use,
                                unsigned plies_max, struct book **out_book,
                                struct book_faults *out_faults)
{
    struct book *book = memory_allocate(sizeof *book);
    if (book == NULL)
        return RK_NO_MEMORY;
    book->use = use;
    book->plies_max = plies_max;
    enum rk_status status = book_fill(book, path, text);
    if (status == RK_OK)
        status = book_index(book, out_faults);
    if (status != RK_OK)
        book_destroy(book);
    else
        *out_book = book;
    return status;
}

enum rk_status book_read(const char *path, enum book_use use, unsigned plies_max,
                         struct book **out_book, struct book_faults *out_faults)
{
    return book_make(path, (struct slice){"", 0}, use, plies_max, out_book, out_faults);
}

enum rk_status book_parse(struct slice text, enum book_use use, unsigned plies_max,
                          struct book **out_book, struct book_faults *out_faults)
{
    return book_make(NULL, text, use, plies_max, out_book, out_faults);
}

void book_destroy(struct book *book)
{
    if (book == NULL)
        return;
    const int error = errno;
    memory_free(book->entries);
    memory_free(book->bytes);
    memory_free(book);
    errno = error;
}

size_t book_count(const struct book *book) { return book->count; }

uint32_t book_checksum(const struct book *book)
{
    return crc_add(0, (const uint8_t *)book->bytes, book->length);
}

void book_shuffle(struct book *book, uint64_t seed)
{
    for (size_t i = book->count; i > 1; i--) {
        const size_t other = random_below(&seed, i);
        const struct entry moved = book->entries[i - 1];
        book->entries[i - 1] = book->entries[other];
        book->entries[other] = moved;
    }
}

void book_opening(const struct book *book, size_t index, struct opening *out_opening)
{
    REQUIRE(index < book->count);
    const struct entry *entry = &book->entries[index];
    const struct slice text = {book->bytes + entry->begin, entry->length};
    REQUIRE(text_parse(book, text, out_opening) == RK_OK); /* It was, when the book was read. */
}
