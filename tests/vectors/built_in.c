/* The network that this program was built with is the one of the file it was given. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "engine/network.h"

int main(int count, char **words)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    struct rk_network *built_in = NULL, *read = NULL;
    REQUIRE(count == 2);
    REQUIRE(network_built_in(&built_in) == RK_OK && built_in != NULL);
    REQUIRE(network_read(words[1], &read, error) == RK_OK);
    REQUIRE(built_in->units == 32 && built_in->bytes == read->bytes);
    REQUIRE(strcmp(built_in->description, "counts men") == 0);
    REQUIRE(memcmp(built_in->biases, read->biases, read->width * sizeof(int16_t)) == 0);
    REQUIRE(memcmp(built_in->rows, read->rows,
                   (size_t)NETWORK_INPUTS * read->width * sizeof(int16_t)) == 0);
    printf("%zu bytes of a network are built in\n", built_in->bytes);
    network_destroy(built_in);
    network_destroy(read);
    return 0;
}
