/* Any bytes as a conf file: read or refused with a line, never half. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "app/config.h"
#include "base/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct config config;
    struct config before;
    char error[CONFIG_ERROR_BYTES_MAX] = "";
    config_init(&config);
    before = config;
    const enum rk_status status =
        config_read_text(&config, "fuzz", (const char *)bytes, length, error);
    if (status != RK_OK) {
        REQUIRE(strncmp(error, "fuzz:", 5) == 0 && error[5] >= '1' && error[5] <= '9');
        REQUIRE(memcmp(&config, &before, sizeof(config)) == 0);
        return 0;
    }
    REQUIRE(config.listen_count >= 1 && config.listen_count <= LISTENERS_MAX);
    REQUIRE(config.threads <= THREADS_MAX && config.clients_max <= SESSIONS_MAX);
    REQUIRE(config.searches_max < SEARCHES_MAX && config.drain_ms <= DRAIN_MS_MAX);
    return 0;
}
