/* engine/weights.h: every number of the hand-made evaluation, in one struct.
 * A pair is a middlegame and an endgame value in one int, so that one addition adds both. Units are
 * about hundredths of a pawn. Fitted to games of our own (docs/search.md, "Evaluation").
 * Thread: any. */
#ifndef ENGINE_WEIGHTS_H
#define ENGINE_WEIGHTS_H

#include "chess/types.h"

/* Endgame in the high half, middlegame in the low one; the low one's sign borrows from the high
 * one, which pair_eg gives back. Each half and each sum stays within ±32767.
 * Source: Chess Programming Wiki, "Tapered Eval", "SIMD and SWAR Techniques". */
typedef int32_t pair_t;
#define PAIR(mg, eg) ((pair_t)((eg)*65536 + (mg)))
static inline int pair_mg(pair_t pair) { return (int16_t)(uint16_t)(uint32_t)pair; }
static inline int pair_eg(pair_t pair)
{
    return (int16_t)(uint16_t)(((uint32_t)pair + 0x8000u) >> 16);
}

struct weights {
    /* A man on a square, its own value within: [kind][rank * 4 + file from the edge], from its own
     * first rank. The king has no value but that of its squares. */
    pair_t psqt[6][32];
    pair_t mobility[4][28]; /* Knight, bishop, rook, queen by squares it could go to. */
    pair_t bishop_pair;
    pair_t bishop_pawns;           /* Each own pawn on the bishop's color. */
    pair_t outpost[2];             /* Knight, bishop. */
    pair_t minor_shielded;         /* A pawn of either color stands right before it. */
    pair_t minor_king_distance[2]; /* Knight, bishop: each king step from its own king. */
    pair_t rook_file[2];           /* No own pawn on the file; no pawn at all. */
    pair_t pawn_doubled;
    pair_t pawn_isolated[2];     /* Behind an enemy pawn, on an open file. */
    pair_t pawn_backward[2];     /* The same. */
    pair_t pawn_phalanx[8];      /* A pawn beside it, by rank. */
    pair_t pawn_supported[8];    /* A pawn behind guards it, by rank. */
    pair_t passed[8];            /* All of passed pawns by rank. */
    pair_t passed_own_king[8];   /* Each step from its own king to the pawn's next square. */
    pair_t passed_enemy_king[8]; /* The same for the enemy king. */
    pair_t passed_clear[8];      /* Nothing can bar its road. */
    pair_t passed_step[8];       /* Nothing can bar its next square. */
    pair_t passed_blocked[8];    /* Its next square is taken. */
    pair_t passed_supported[8];  /* Its next square is guarded. */
    pair_t passed_behind;        /* An own rook or queen behind it. */
    pair_t passed_unstoppable;   /* No officer and no king can catch it. */
    /* [file: beside the king, its own][rank of the own pawn before it, 0: none]. */
    pair_t shelter[2][8];
    /* [blocked by an own pawn][rank of the enemy pawn before the king, 0: none]. */
    pair_t storm[2][8];
    pair_t threat_pawn[6];  /* By the kind attacked. */
    pair_t threat_minor[6]; /* The same. */
    pair_t threat_rook[6];  /* The same. */
    pair_t threat_king;
    pair_t threat_hanging;  /* Attacked and not guarded. */
    pair_t threat_contest;  /* A square of the enemy, attacked. */
    pair_t threat_push;     /* A pawn move that would attack an officer. */
    int danger_attacker[4]; /* Knight, bishop, rook, queen that reach the zone. */
    int danger_check[4];    /* The same, with a safe check. */
    int danger_square;      /* Each square of the zone attacked. */
    int danger_weak;        /* Each square of the zone badly guarded. */
    int danger_no_queen;
    int danger_shelter; /* Each sixteenth of the middlegame shelter score. */
    int danger_base;
    int tempo; /* For the side to move. */
};

static const struct weights WEIGHTS = {
    .psqt = {{PAIR(85, 110),  PAIR(85, 110),  PAIR(85, 110),  PAIR(85, 110), PAIR(77, 104),
              PAIR(81, 104),  PAIR(81, 104),  PAIR(81, 104),  PAIR(81, 110), PAIR(85, 110),
              PAIR(85, 110),  PAIR(88, 110),  PAIR(85, 116),  PAIR(89, 116), PAIR(89, 116),
              PAIR(101, 116), PAIR(89, 122),  PAIR(93, 122),  PAIR(93, 122), PAIR(105, 122),
              PAIR(93, 128),  PAIR(97, 128),  PAIR(97, 128),  PAIR(97, 128), PAIR(97, 134),
              PAIR(101, 134), PAIR(101, 134), PAIR(101, 134), PAIR(85, 110), PAIR(85, 110),
              PAIR(85, 110),  PAIR(85, 110)},
             {PAIR(313, 298), PAIR(321, 304), PAIR(329, 312), PAIR(337, 318), PAIR(323, 306),
              PAIR(331, 312), PAIR(339, 320), PAIR(347, 326), PAIR(333, 314), PAIR(341, 320),
              PAIR(349, 328), PAIR(357, 334), PAIR(347, 322), PAIR(355, 328), PAIR(363, 336),
              PAIR(371, 342), PAIR(347, 322), PAIR(355, 328), PAIR(363, 336), PAIR(371, 342),
              PAIR(337, 314), PAIR(345, 320), PAIR(353, 328), PAIR(361, 334), PAIR(327, 306),
              PAIR(335, 312), PAIR(343, 320), PAIR(351, 326), PAIR(309, 298), PAIR(317, 304),
              PAIR(325, 312), PAIR(333, 318)},
             {PAIR(348, 330), PAIR(351, 332), PAIR(354, 336), PAIR(357, 338), PAIR(353, 334),
              PAIR(356, 336), PAIR(359, 340), PAIR(362, 342), PAIR(358, 338), PAIR(361, 340),
              PAIR(364, 344), PAIR(367, 346), PAIR(363, 342), PAIR(366, 344), PAIR(369, 348),
              PAIR(372, 350), PAIR(363, 342), PAIR(366, 344), PAIR(369, 348), PAIR(372, 350),
              PAIR(358, 338), PAIR(361, 340), PAIR(364, 344), PAIR(367, 346), PAIR(353, 334),
              PAIR(356, 336), PAIR(359, 340), PAIR(362, 342), PAIR(348, 330), PAIR(351, 332),
              PAIR(354, 336), PAIR(357, 338)},
             {PAIR(474, 570), PAIR(478, 570), PAIR(482, 570), PAIR(486, 570), PAIR(474, 570),
              PAIR(478, 570), PAIR(482, 570), PAIR(486, 570), PAIR(474, 570), PAIR(478, 570),
              PAIR(482, 570), PAIR(486, 570), PAIR(474, 570), PAIR(478, 570), PAIR(482, 570),
              PAIR(486, 570), PAIR(474, 570), PAIR(478, 570), PAIR(482, 570), PAIR(486, 570),
              PAIR(474, 578), PAIR(478, 578), PAIR(482, 578), PAIR(486, 578), PAIR(486, 578),
              PAIR(490, 578), PAIR(494, 578), PAIR(498, 578), PAIR(474, 578), PAIR(478, 578),
              PAIR(482, 578), PAIR(486, 578)},
             {PAIR(1016, 1028), PAIR(1018, 1034), PAIR(1020, 1042), PAIR(1022, 1048),
              PAIR(1016, 1036), PAIR(1018, 1042), PAIR(1020, 1050), PAIR(1022, 1056),
              PAIR(1018, 1044), PAIR(1020, 1050), PAIR(1022, 1058), PAIR(1024, 1064),
              PAIR(1018, 1052), PAIR(1020, 1058), PAIR(1022, 1066), PAIR(1024, 1072),
              PAIR(1018, 1052), PAIR(1020, 1058), PAIR(1022, 1066), PAIR(1024, 1072),
              PAIR(1016, 1044), PAIR(1018, 1050), PAIR(1020, 1058), PAIR(1022, 1064),
              PAIR(1014, 1036), PAIR(1016, 1042), PAIR(1018, 1050), PAIR(1020, 1056),
              PAIR(1014, 1028), PAIR(1016, 1034), PAIR(1018, 1042), PAIR(1020, 1048)},
             {PAIR(21, -33),   PAIR(27, -23), PAIR(-7, -13),  PAIR(-21, -3),  PAIR(-1, -21),
              PAIR(-15, -11),  PAIR(-29, -1), PAIR(-43, 9),   PAIR(-23, -9),  PAIR(-37, 1),
              PAIR(-51, 11),   PAIR(-65, 21), PAIR(-45, 9),   PAIR(-59, 19),  PAIR(-73, 29),
              PAIR(-87, 39),   PAIR(-67, 9),  PAIR(-81, 19),  PAIR(-95, 29),  PAIR(-109, 39),
              PAIR(-89, -3),   PAIR(-103, 7), PAIR(-117, 17), PAIR(-131, 27), PAIR(-89, -15),
              PAIR(-103, -5),  PAIR(-117, 5), PAIR(-131, 15), PAIR(-89, -33), PAIR(-103, -23),
              PAIR(-117, -13), PAIR(-131, -3)}},
    .mobility = {{PAIR(-30, -26), PAIR(-13, -11), PAIR(-6, -5), PAIR(0, 0), PAIR(4, 4), PAIR(8, 7),
                  PAIR(12, 10), PAIR(15, 13), PAIR(18, 16)},
                 {PAIR(-34, -40), PAIR(-19, -22), PAIR(-12, -15), PAIR(-8, -9), PAIR(-4, -4),
                  PAIR(0, 0), PAIR(3, 4), PAIR(6, 7), PAIR(9, 11), PAIR(12, 14), PAIR(14, 16),
                  PAIR(16, 19), PAIR(19, 22), PAIR(21, 24)},
                 {PAIR(-30, -60), PAIR(-17, -34), PAIR(-12, -23), PAIR(-8, -15), PAIR(-4, -8),
                  PAIR(-1, -2), PAIR(2, 3), PAIR(4, 8), PAIR(7, 13), PAIR(9, 17), PAIR(11, 22),
                  PAIR(13, 26), PAIR(15, 29), PAIR(16, 33), PAIR(18, 36)},
                 {PAIR(-28, -60), PAIR(-19, -41), PAIR(-16, -33), PAIR(-13, -28), PAIR(-11, -23),
                  PAIR(-8, -18),  PAIR(-7, -14),  PAIR(-5, -11),  PAIR(-3, -7),   PAIR(-2, -4),
                  PAIR(-1, -1),   PAIR(1, 2),     PAIR(2, 4),     PAIR(3, 7),     PAIR(4, 10),
                  PAIR(6, 12),    PAIR(7, 14),    PAIR(8, 17),    PAIR(9, 19),    PAIR(10, 21),
                  PAIR(11, 23),   PAIR(12, 25),   PAIR(13, 27),   PAIR(14, 29),   PAIR(14, 31),
                  PAIR(15, 33),   PAIR(16, 35),   PAIR(17, 36)}},
    .bishop_pair = PAIR(28, 48),
    .bishop_pawns = PAIR(-3, -6),
    .outpost = {PAIR(26, 16), PAIR(18, 8)},
    .minor_shielded = PAIR(8, 3),
    .minor_king_distance = {PAIR(-3, -3), PAIR(-3, -2)},
    .rook_file = {PAIR(14, 6), PAIR(28, 10)},
    .pawn_doubled = PAIR(-8, -22),
    .pawn_isolated = {PAIR(-5, -8), PAIR(-14, -14)},
    .pawn_backward = {PAIR(-6, -8), PAIR(-16, -14)},
    .pawn_phalanx = {PAIR(0, 0), PAIR(3, 0), PAIR(6, 2), PAIR(10, 8), PAIR(24, 20), PAIR(50, 50),
                     PAIR(80, 80), PAIR(0, 0)},
    .pawn_supported = {PAIR(0, 0), PAIR(0, 0), PAIR(8, 5), PAIR(10, 8), PAIR(16, 14), PAIR(35, 35),
                       PAIR(60, 60), PAIR(0, 0)},
    .passed = {PAIR(0, 0), PAIR(0, 8), PAIR(2, 12), PAIR(4, 28), PAIR(22, 50), PAIR(48, 85),
               PAIR(90, 130), PAIR(0, 0)},
    .passed_own_king = {PAIR(0, 0), PAIR(0, 0), PAIR(0, -2), PAIR(0, -5), PAIR(0, -8), PAIR(0, -10),
                        PAIR(0, -10), PAIR(0, 0)},
    .passed_enemy_king = {PAIR(0, 0), PAIR(0, 2), PAIR(0, 4), PAIR(0, 9), PAIR(0, 16), PAIR(0, 22),
                          PAIR(0, 24), PAIR(0, 0)},
    .passed_clear = {PAIR(0, 0), PAIR(0, 5), PAIR(0, 8), PAIR(5, 16), PAIR(15, 35), PAIR(30, 70),
                     PAIR(50, 110), PAIR(0, 0)},
    .passed_step = {PAIR(0, 0), PAIR(0, 2), PAIR(0, 4), PAIR(2, 8), PAIR(6, 14), PAIR(12, 24),
                    PAIR(0, 0), PAIR(0, 0)},
    .passed_blocked = {PAIR(0, 0), PAIR(0, -2), PAIR(0, -4), PAIR(0, -8), PAIR(-4, -16),
                       PAIR(-8, -32), PAIR(-10, -50), PAIR(0, 0)},
    .passed_supported = {PAIR(0, 0), PAIR(0, 0), PAIR(0, 2), PAIR(4, 6), PAIR(8, 10), PAIR(14, 18),
                         PAIR(20, 24), PAIR(0, 0)},
    .passed_behind = PAIR(8, 20),
    .passed_unstoppable = PAIR(0, 350),
    .shelter = {{PAIR(-22, 0), PAIR(18, 0), PAIR(14, 0), PAIR(-2, 0), PAIR(-8, 0), PAIR(-12, 0),
                 PAIR(-14, 0), PAIR(0, 0)},
                {PAIR(-28, 0), PAIR(24, 0), PAIR(16, 0), PAIR(-6, 0), PAIR(-12, 0), PAIR(-16, 0),
                 PAIR(-18, 0), PAIR(0, 0)}},
    .storm = {{PAIR(-2, 0), PAIR(0, 0), PAIR(-36, 0), PAIR(-26, 0), PAIR(-12, 0), PAIR(-2, 0),
               PAIR(2, 0), PAIR(0, 0)},
              {PAIR(0, 0), PAIR(0, 0), PAIR(0, 0), PAIR(-16, -4), PAIR(-4, -4), PAIR(0, -2),
               PAIR(0, 0), PAIR(0, 0)}},
    .threat_pawn = {PAIR(0, 0), PAIR(60, 40), PAIR(60, 40), PAIR(80, 40), PAIR(80, 40), PAIR(0, 0)},
    .threat_minor = {PAIR(2, 12), PAIR(24, 20), PAIR(30, 24), PAIR(50, 50), PAIR(50, 60),
                     PAIR(0, 0)},
    .threat_rook = {PAIR(0, 14), PAIR(20, 28), PAIR(20, 24), PAIR(0, 20), PAIR(36, 30), PAIR(0, 0)},
    .threat_king = PAIR(14, 40),
    .threat_hanging = PAIR(28, 16),
    .threat_contest = PAIR(3, 3),
    .threat_push = PAIR(18, 14),
    .danger_attacker = {60, 40, 44, 30},
    .danger_check = {300, 220, 380, 280},
    .danger_square = 28,
    .danger_weak = 55,
    .danger_no_queen = -320,
    .danger_shelter = -40,
    .danger_base = -10,
    .tempo = 14,
};

/* Both wings are alike: files are counted from the nearer edge. */
static inline pair_t psqt_value(color_t color, kind_t kind, square_t square)
{
    const unsigned file = square_file(square);
    return WEIGHTS.psqt[kind][rank_of(color, square) * 4 + (file < 4 ? file : 7 - file)];
}

#endif
