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
    pair_t bishop_pawns; /* Each own pawn on the bishop's color. */
    pair_t outpost[2];   /* Knight, bishop. */
    pair_t rook_file[2]; /* No own pawn on the file; no pawn at all. */
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
    .psqt = {{PAIR(66, 113), PAIR(66, 113), PAIR(66, 113), PAIR(66, 113), PAIR(57, 105),
              PAIR(64, 114), PAIR(62, 114), PAIR(51, 105), PAIR(66, 117), PAIR(66, 111),
              PAIR(68, 114), PAIR(71, 119), PAIR(70, 120), PAIR(65, 121), PAIR(74, 118),
              PAIR(82, 108), PAIR(67, 125), PAIR(74, 131), PAIR(76, 127), PAIR(85, 121),
              PAIR(77, 132), PAIR(78, 128), PAIR(76, 131), PAIR(77, 130), PAIR(76, 136),
              PAIR(83, 139), PAIR(82, 137), PAIR(82, 138), PAIR(66, 113), PAIR(66, 113),
              PAIR(66, 113), PAIR(66, 113)},
             {PAIR(271, 370), PAIR(276, 372), PAIR(288, 384), PAIR(290, 387), PAIR(281, 375),
              PAIR(287, 386), PAIR(296, 383), PAIR(304, 393), PAIR(286, 386), PAIR(303, 390),
              PAIR(299, 400), PAIR(312, 409), PAIR(305, 393), PAIR(306, 395), PAIR(317, 410),
              PAIR(320, 416), PAIR(312, 392), PAIR(308, 398), PAIR(320, 406), PAIR(326, 413),
              PAIR(297, 384), PAIR(302, 390), PAIR(310, 399), PAIR(316, 405), PAIR(286, 378),
              PAIR(291, 383), PAIR(303, 392), PAIR(308, 396), PAIR(265, 368), PAIR(273, 375),
              PAIR(281, 382), PAIR(289, 388)},
             {PAIR(319, 416), PAIR(323, 417), PAIR(323, 419), PAIR(319, 421), PAIR(323, 419),
              PAIR(330, 430), PAIR(322, 424), PAIR(330, 431), PAIR(337, 424), PAIR(339, 427),
              PAIR(330, 431), PAIR(342, 427), PAIR(335, 427), PAIR(337, 428), PAIR(338, 432),
              PAIR(339, 433), PAIR(331, 425), PAIR(343, 430), PAIR(340, 435), PAIR(344, 432),
              PAIR(330, 423), PAIR(332, 426), PAIR(333, 429), PAIR(338, 432), PAIR(322, 419),
              PAIR(326, 421), PAIR(329, 425), PAIR(333, 428), PAIR(318, 416), PAIR(321, 417),
              PAIR(324, 421), PAIR(327, 423)},
             {PAIR(389, 708), PAIR(389, 706), PAIR(393, 714), PAIR(409, 706), PAIR(377, 710),
              PAIR(384, 709), PAIR(398, 714), PAIR(397, 710), PAIR(375, 708), PAIR(385, 708),
              PAIR(388, 711), PAIR(395, 707), PAIR(382, 712), PAIR(389, 713), PAIR(394, 711),
              PAIR(398, 710), PAIR(386, 711), PAIR(391, 713), PAIR(396, 711), PAIR(399, 713),
              PAIR(387, 722), PAIR(390, 720), PAIR(393, 718), PAIR(394, 716), PAIR(395, 719),
              PAIR(402, 720), PAIR(407, 720), PAIR(410, 718), PAIR(384, 721), PAIR(390, 720),
              PAIR(392, 719), PAIR(397, 720)},
             {PAIR(1046, 1192), PAIR(1051, 1197), PAIR(1042, 1205), PAIR(1052, 1211),
              PAIR(1047, 1200), PAIR(1048, 1205), PAIR(1056, 1212), PAIR(1048, 1220),
              PAIR(1045, 1209), PAIR(1059, 1211), PAIR(1055, 1223), PAIR(1052, 1228),
              PAIR(1040, 1213), PAIR(1050, 1221), PAIR(1054, 1230), PAIR(1050, 1236),
              PAIR(1051, 1217), PAIR(1049, 1221), PAIR(1054, 1230), PAIR(1055, 1237),
              PAIR(1047, 1208), PAIR(1047, 1213), PAIR(1050, 1221), PAIR(1055, 1228),
              PAIR(1046, 1200), PAIR(1045, 1206), PAIR(1050, 1214), PAIR(1050, 1219),
              PAIR(1046, 1192), PAIR(1046, 1197), PAIR(1049, 1205), PAIR(1051, 1212)},
             {PAIR(19, -35),   PAIR(18, -26), PAIR(-14, -9),  PAIR(-20, -10), PAIR(1, -18),
              PAIR(-14, -14),  PAIR(-22, 4),  PAIR(-39, 8),   PAIR(-25, -11), PAIR(-34, 4),
              PAIR(-51, 13),   PAIR(-64, 22), PAIR(-45, 9),   PAIR(-59, 20),  PAIR(-73, 29),
              PAIR(-87, 37),   PAIR(-67, 9),  PAIR(-81, 21),  PAIR(-95, 29),  PAIR(-109, 39),
              PAIR(-89, -4),   PAIR(-103, 7), PAIR(-117, 18), PAIR(-131, 27), PAIR(-89, -15),
              PAIR(-103, -5),  PAIR(-117, 5), PAIR(-131, 14), PAIR(-89, -33), PAIR(-103, -23),
              PAIR(-117, -13), PAIR(-131, -3)}},
    .mobility = {{PAIR(-33, -26), PAIR(-21, -13), PAIR(-4, -6), PAIR(5, -3), PAIR(1, -2),
                  PAIR(9, 11), PAIR(11, 17), PAIR(16, 19), PAIR(26, 14)},
                 {PAIR(-34, -40), PAIR(-25, -23), PAIR(-14, -18), PAIR(-4, -10), PAIR(-3, -1),
                  PAIR(3, 4), PAIR(8, 3), PAIR(6, 7), PAIR(8, 11), PAIR(10, 14), PAIR(12, 16),
                  PAIR(15, 19), PAIR(17, 22), PAIR(21, 24)},
                 {PAIR(-36, -60), PAIR(-30, -36), PAIR(-7, -24), PAIR(-6, -15), PAIR(-2, -13),
                  PAIR(1, -3), PAIR(1, 4), PAIR(2, 6), PAIR(9, 14), PAIR(10, 19), PAIR(13, 25),
                  PAIR(14, 29), PAIR(13, 29), PAIR(16, 33), PAIR(20, 37)},
                 {PAIR(-28, -60), PAIR(-19, -41), PAIR(-18, -33), PAIR(-20, -28), PAIR(-14, -23),
                  PAIR(-11, -18), PAIR(-6, -16),  PAIR(-4, -13),  PAIR(1, -10),   PAIR(-1, -4),
                  PAIR(3, 1),     PAIR(5, 1),     PAIR(7, 7),     PAIR(3, 8),     PAIR(7, 10),
                  PAIR(5, 12),    PAIR(7, 15),    PAIR(6, 17),    PAIR(7, 19),    PAIR(8, 21),
                  PAIR(9, 23),    PAIR(12, 25),   PAIR(13, 27),   PAIR(14, 29),   PAIR(14, 31),
                  PAIR(15, 33),   PAIR(16, 35),   PAIR(17, 36)}},
    .bishop_pair = PAIR(22, 46),
    .bishop_pawns = PAIR(-3, -9),
    .outpost = {PAIR(9, 12), PAIR(20, 1)},
    .rook_file = {PAIR(20, 1), PAIR(31, 7)},
    .pawn_doubled = PAIR(-13, -13),
    .pawn_isolated = {PAIR(-7, -6), PAIR(-16, -15)},
    .pawn_backward = {PAIR(-4, -9), PAIR(-20, -3)},
    .pawn_phalanx = {PAIR(0, 0), PAIR(5, 0), PAIR(3, 1), PAIR(6, 14), PAIR(24, 28), PAIR(47, 53),
                     PAIR(80, 80), PAIR(0, 0)},
    .pawn_supported = {PAIR(0, 0), PAIR(0, 0), PAIR(11, 9), PAIR(5, 11), PAIR(16, 6), PAIR(42, 47),
                       PAIR(61, 60), PAIR(0, 0)},
    .passed = {PAIR(0, 0), PAIR(4, 12), PAIR(8, 24), PAIR(8, 46), PAIR(28, 50), PAIR(50, 88),
               PAIR(91, 122), PAIR(0, 0)},
    .passed_own_king = {PAIR(0, 0), PAIR(5, -5), PAIR(-2, -3), PAIR(-8, -8), PAIR(-1, -9),
                        PAIR(-6, -10), PAIR(-2, -12), PAIR(0, 0)},
    .passed_enemy_king = {PAIR(0, 0), PAIR(-7, 5), PAIR(1, 7), PAIR(5, 9), PAIR(-3, 24),
                          PAIR(-1, 31), PAIR(-3, 37), PAIR(0, 0)},
    .passed_clear = {PAIR(0, 0), PAIR(3, 11), PAIR(5, 5), PAIR(10, 28), PAIR(13, 32), PAIR(32, 76),
                     PAIR(52, 112), PAIR(0, 0)},
    .passed_step = {PAIR(0, 0), PAIR(8, 3), PAIR(-10, -3), PAIR(12, 7), PAIR(16, 9), PAIR(20, 29),
                    PAIR(0, 0), PAIR(0, 0)},
    .passed_blocked = {PAIR(0, 0), PAIR(3, 5), PAIR(-3, 3), PAIR(-16, -3), PAIR(-7, -15),
                       PAIR(-22, -31), PAIR(-10, -50), PAIR(0, 0)},
    .passed_supported = {PAIR(0, 0), PAIR(-1, 5), PAIR(1, 5), PAIR(10, 11), PAIR(14, 7),
                         PAIR(10, 13), PAIR(21, 30), PAIR(0, 0)},
    .passed_behind = PAIR(22, 20),
    .passed_unstoppable = PAIR(0, 348),
    .shelter = {{PAIR(-12, 2), PAIR(23, -3), PAIR(10, -5), PAIR(2, 2), PAIR(-14, 3), PAIR(-21, 2),
                 PAIR(-8, 4), PAIR(0, 0)},
                {PAIR(-19, -3), PAIR(16, -8), PAIR(8, -6), PAIR(-2, 2), PAIR(-30, 7), PAIR(3, 8),
                 PAIR(-13, 2), PAIR(0, 0)}},
    .storm = {{PAIR(-1, -5), PAIR(-3, 7), PAIR(-46, 11), PAIR(-32, 5), PAIR(-9, 1), PAIR(-2, 3),
               PAIR(-3, -1), PAIR(0, 0)},
              {PAIR(0, 0), PAIR(0, 0), PAIR(-6, -6), PAIR(-9, -4), PAIR(4, -14), PAIR(11, -8),
               PAIR(11, 2), PAIR(0, 0)}},
    .threat_pawn = {PAIR(0, 0), PAIR(44, 40), PAIR(51, 41), PAIR(77, 37), PAIR(63, 41), PAIR(0, 0)},
    .threat_minor = {PAIR(4, 15), PAIR(16, 25), PAIR(32, 20), PAIR(29, 41), PAIR(24, 58),
                     PAIR(0, 0)},
    .threat_rook = {PAIR(-6, 28), PAIR(13, 35), PAIR(16, 29), PAIR(-3, 15), PAIR(34, 28),
                    PAIR(0, 0)},
    .threat_king = PAIR(21, 35),
    .threat_hanging = PAIR(14, 28),
    .threat_push = PAIR(20, 12),
    .danger_attacker = {66, 42, 87, 34},
    .danger_check = {247, 189, 384, 252},
    .danger_square = 32,
    .danger_weak = 64,
    .danger_no_queen = -372,
    .danger_shelter = -36,
    .danger_base = -64,
    .tempo = 14,
};

/* Both wings are alike: files are counted from the nearer edge. */
static inline pair_t psqt_value(color_t color, kind_t kind, square_t square)
{
    const unsigned file = square_file(square);
    return WEIGHTS.psqt[kind][rank_of(color, square) * 4 + (file < 4 ? file : 7 - file)];
}

#endif
