/* Any bytes as a network: refused with a reason, or one that evaluates without a fault. Once as
 * they are and once signed, since few bytes carry the right checksum. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "engine/nnue.h"
#include "support/paper_network.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void try_parse(const uint8_t *bytes, size_t length)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX] = "";
    struct rk_network *network = NULL;
    if (network_parse(bytes, length, &network, error) != RK_OK) {
        REQUIRE(network == NULL && *error != '\0');
        return;
    }
    struct position position;
    position_set_start(&position);
    const score_t score = nnue_alone(network, &position);
    REQUIRE(score >= -SCORE_EVAL_MAX && score <= SCORE_EVAL_MAX);
    REQUIRE(strlen(network->description) <= NETWORK_DESCRIPTION_BYTES_MAX);
    network_destroy(network);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    chess_init();
    try_parse(bytes, length);
    if (length < NETWORK_HEADER_BYTES)
        return 0;
    uint8_t *signed_bytes = memory_allocate(length);
    REQUIRE(signed_bytes != NULL);
    memcpy(signed_bytes, bytes, length);
    paper_network_sign(signed_bytes, length);
    try_parse(signed_bytes, length);
    memory_free(signed_bytes);
    return 0;
}
