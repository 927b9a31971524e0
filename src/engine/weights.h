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
    .psqt = {{PAIR(66, 111), PAIR(66, 111), PAIR(66, 111), PAIR(66, 111), PAIR(57, 103),
              PAIR(65, 109), PAIR(63, 109), PAIR(54, 104), PAIR(65, 114), PAIR(64, 109),
              PAIR(67, 112), PAIR(73, 115), PAIR(68, 117), PAIR(65, 119), PAIR(72, 117),
              PAIR(83, 110), PAIR(67, 123), PAIR(74, 126), PAIR(75, 124), PAIR(84, 121),
              PAIR(76, 130), PAIR(78, 128), PAIR(77, 129), PAIR(78, 129), PAIR(77, 135),
              PAIR(82, 136), PAIR(82, 135), PAIR(82, 136), PAIR(66, 111), PAIR(66, 111),
              PAIR(66, 111), PAIR(66, 111)},
             {PAIR(281, 354), PAIR(288, 358), PAIR(297, 368), PAIR(302, 373), PAIR(291, 361),
              PAIR(298, 369), PAIR(307, 372), PAIR(313, 379), PAIR(298, 370), PAIR(309, 375),
              PAIR(311, 384), PAIR(325, 392), PAIR(314, 378), PAIR(319, 382), PAIR(328, 393),
              PAIR(336, 399), PAIR(318, 377), PAIR(322, 383), PAIR(331, 392), PAIR(338, 398),
              PAIR(306, 369), PAIR(312, 375), PAIR(320, 384), PAIR(327, 390), PAIR(295, 362),
              PAIR(302, 368), PAIR(312, 376), PAIR(318, 381), PAIR(276, 353), PAIR(284, 360),
              PAIR(292, 367), PAIR(300, 373)},
             {PAIR(324, 392), PAIR(327, 394), PAIR(328, 396), PAIR(328, 399), PAIR(328, 396),
              PAIR(333, 402), PAIR(330, 401), PAIR(335, 406), PAIR(337, 401), PAIR(340, 403),
              PAIR(337, 407), PAIR(345, 406), PAIR(339, 404), PAIR(341, 405), PAIR(345, 410),
              PAIR(345, 411), PAIR(337, 403), PAIR(344, 407), PAIR(344, 411), PAIR(348, 410),
              PAIR(334, 400), PAIR(336, 402), PAIR(338, 406), PAIR(342, 408), PAIR(327, 396),
              PAIR(331, 398), PAIR(334, 402), PAIR(337, 404), PAIR(323, 392), PAIR(326, 394),
              PAIR(329, 398), PAIR(332, 400)},
             {PAIR(397, 681), PAIR(396, 680), PAIR(399, 684), PAIR(413, 681), PAIR(388, 682),
              PAIR(395, 682), PAIR(403, 684), PAIR(404, 682), PAIR(387, 681), PAIR(396, 681),
              PAIR(398, 682), PAIR(404, 680), PAIR(391, 683), PAIR(397, 683), PAIR(401, 682),
              PAIR(405, 682), PAIR(393, 683), PAIR(398, 683), PAIR(402, 682), PAIR(406, 684),
              PAIR(394, 692), PAIR(397, 691), PAIR(401, 690), PAIR(403, 689), PAIR(404, 690),
              PAIR(409, 691), PAIR(414, 691), PAIR(417, 690), PAIR(392, 691), PAIR(397, 691),
              PAIR(400, 690), PAIR(405, 691)},
             {PAIR(1063, 1137), PAIR(1067, 1143), PAIR(1063, 1151), PAIR(1069, 1157),
              PAIR(1064, 1145), PAIR(1065, 1151), PAIR(1071, 1159), PAIR(1067, 1166),
              PAIR(1063, 1154), PAIR(1072, 1158), PAIR(1072, 1168), PAIR(1070, 1173),
              PAIR(1062, 1160), PAIR(1068, 1167), PAIR(1070, 1175), PAIR(1071, 1181),
              PAIR(1067, 1162), PAIR(1067, 1167), PAIR(1071, 1175), PAIR(1073, 1182),
              PAIR(1064, 1153), PAIR(1065, 1159), PAIR(1068, 1167), PAIR(1071, 1173),
              PAIR(1062, 1145), PAIR(1063, 1151), PAIR(1066, 1159), PAIR(1068, 1165),
              PAIR(1062, 1137), PAIR(1064, 1143), PAIR(1066, 1151), PAIR(1068, 1157)},
             {PAIR(20, -34),   PAIR(21, -26), PAIR(-10, -11), PAIR(-21, -7),  PAIR(0, -20),
              PAIR(-15, -13),  PAIR(-24, 2),  PAIR(-40, 10),  PAIR(-24, -10), PAIR(-36, 2),
              PAIR(-51, 12),   PAIR(-64, 22), PAIR(-45, 9),   PAIR(-59, 20),  PAIR(-73, 29),
              PAIR(-87, 38),   PAIR(-67, 9),  PAIR(-81, 20),  PAIR(-95, 29),  PAIR(-109, 39),
              PAIR(-89, -4),   PAIR(-103, 7), PAIR(-117, 17), PAIR(-131, 27), PAIR(-89, -15),
              PAIR(-103, -5),  PAIR(-117, 5), PAIR(-131, 15), PAIR(-89, -33), PAIR(-103, -23),
              PAIR(-117, -13), PAIR(-131, -3)}},
    .mobility = {{PAIR(-31, -26), PAIR(-19, -12), PAIR(-5, -6), PAIR(5, -1), PAIR(2, 0), PAIR(8, 9),
                  PAIR(11, 14), PAIR(15, 16), PAIR(23, 15)},
                 {PAIR(-34, -40), PAIR(-23, -23), PAIR(-14, -16), PAIR(-4, -10), PAIR(-3, -2),
                  PAIR(2, 2), PAIR(6, 4), PAIR(6, 7), PAIR(9, 11), PAIR(10, 14), PAIR(13, 16),
                  PAIR(15, 19), PAIR(18, 22), PAIR(21, 24)},
                 {PAIR(-33, -60), PAIR(-25, -35), PAIR(-9, -24), PAIR(-6, -14), PAIR(-2, -11),
                  PAIR(-1, -3), PAIR(0, 3), PAIR(2, 7), PAIR(8, 14), PAIR(10, 19), PAIR(12, 23),
                  PAIR(14, 27), PAIR(15, 29), PAIR(16, 33), PAIR(19, 36)},
                 {PAIR(-28, -60), PAIR(-19, -41), PAIR(-17, -33), PAIR(-17, -28), PAIR(-14, -23),
                  PAIR(-11, -18), PAIR(-6, -15),  PAIR(-4, -12),  PAIR(0, -8),    PAIR(-1, -4),
                  PAIR(2, 0),     PAIR(3, 2),     PAIR(5, 5),     PAIR(3, 7),     PAIR(5, 10),
                  PAIR(5, 12),    PAIR(7, 14),    PAIR(7, 17),    PAIR(8, 19),    PAIR(9, 21),
                  PAIR(10, 23),   PAIR(12, 25),   PAIR(13, 27),   PAIR(14, 29),   PAIR(14, 31),
                  PAIR(15, 33),   PAIR(16, 35),   PAIR(17, 36)}},
    .bishop_pair = PAIR(25, 47),
    .bishop_pawns = PAIR(-4, -7),
    .outpost = {PAIR(15, 11), PAIR(17, 9)},
    .minor_shielded = PAIR(0, 5),
    .minor_king_distance = {PAIR(-1, 1), PAIR(1, 1)},
    .rook_file = {PAIR(23, 7), PAIR(32, 11)},
    .pawn_doubled = PAIR(-15, -14),
    .pawn_isolated = {PAIR(-8, -9), PAIR(-12, -15)},
    .pawn_backward = {PAIR(-7, -8), PAIR(-22, -4)},
    .pawn_phalanx = {PAIR(0, 0), PAIR(4, 4), PAIR(2, 3), PAIR(8, 12), PAIR(22, 25), PAIR(48, 51),
                     PAIR(80, 80), PAIR(0, 0)},
    .pawn_supported = {PAIR(0, 0), PAIR(0, 0), PAIR(10, 8), PAIR(7, 8), PAIR(16, 5), PAIR(44, 40),
                       PAIR(60, 59), PAIR(0, 0)},
    .passed = {PAIR(0, 0), PAIR(2, 11), PAIR(4, 19), PAIR(7, 39), PAIR(23, 48), PAIR(49, 88),
               PAIR(91, 127), PAIR(0, 0)},
    .passed_own_king = {PAIR(0, 0), PAIR(1, -1), PAIR(-1, -3), PAIR(-8, -7), PAIR(-1, -9),
                        PAIR(-4, -11), PAIR(1, -13), PAIR(0, 0)},
    .passed_enemy_king = {PAIR(0, 0), PAIR(-5, 5), PAIR(0, 8), PAIR(5, 11), PAIR(-1, 24),
                          PAIR(2, 30), PAIR(-1, 33), PAIR(0, 0)},
    .passed_clear = {PAIR(0, 0), PAIR(1, 6), PAIR(2, 8), PAIR(8, 25), PAIR(14, 32), PAIR(31, 74),
                     PAIR(51, 111), PAIR(0, 0)},
    .passed_step = {PAIR(0, 0), PAIR(4, 4), PAIR(-7, -1), PAIR(8, 9), PAIR(13, 10), PAIR(15, 26),
                    PAIR(0, 0), PAIR(0, 0)},
    .passed_blocked = {PAIR(0, 0), PAIR(3, 3), PAIR(-1, 1), PAIR(-6, -6), PAIR(-9, -17),
                       PAIR(-15, -30), PAIR(-10, -51), PAIR(0, 0)},
    .passed_supported = {PAIR(0, 0), PAIR(2, 5), PAIR(2, 4), PAIR(6, 11), PAIR(12, 9), PAIR(10, 14),
                         PAIR(21, 28), PAIR(0, 0)},
    .passed_behind = PAIR(16, 16),
    .passed_unstoppable = PAIR(0, 349),
    .shelter = {{PAIR(-13, 1), PAIR(23, 0), PAIR(11, -4), PAIR(4, 0), PAIR(-8, 1), PAIR(-21, 2),
                 PAIR(-10, 3), PAIR(0, 0)},
                {PAIR(-19, -1), PAIR(17, -8), PAIR(11, -1), PAIR(-1, 2), PAIR(-23, 4), PAIR(-6, 3),
                 PAIR(-16, 1), PAIR(0, 0)}},
    .storm = {{PAIR(-2, -5), PAIR(-2, 4), PAIR(-39, 6), PAIR(-31, 1), PAIR(-9, 1), PAIR(0, 3),
               PAIR(-3, -4), PAIR(0, 0)},
              {PAIR(0, 0), PAIR(0, 0), PAIR(0, -2), PAIR(-12, -4), PAIR(3, -9), PAIR(7, -5),
               PAIR(7, 2), PAIR(0, 0)}},
    .threat_pawn = {PAIR(0, 0), PAIR(49, 40), PAIR(55, 40), PAIR(79, 39), PAIR(70, 40), PAIR(0, 0)},
    .threat_minor = {PAIR(6, 18), PAIR(18, 22), PAIR(36, 22), PAIR(38, 45), PAIR(32, 59),
                     PAIR(0, 0)},
    .threat_rook = {PAIR(-6, 26), PAIR(15, 31), PAIR(17, 27), PAIR(-1, 18), PAIR(35, 29),
                    PAIR(0, 0)},
    .threat_king = PAIR(14, 36),
    .threat_hanging = PAIR(16, 27),
    .threat_contest = PAIR(2, 1),
    .threat_push = PAIR(19, 15),
    .danger_attacker = {70, 38, 68, 39},
    .danger_check = {251, 190, 371, 240},
    .danger_square = 34,
    .danger_weak = 58,
    .danger_no_queen = -338,
    .danger_shelter = -38,
    .danger_base = -26,
    .tempo = 15,
};

/* Both wings are alike: files are counted from the nearer edge. */
static inline pair_t psqt_value(color_t color, kind_t kind, square_t square)
{
    const unsigned file = square_file(square);
    return WEIGHTS.psqt[kind][rank_of(color, square) * 4 + (file < 4 ? file : 7 - file)];
}

#endif
