"""Trainer: can you beat it?"""

import training
from components.download import download_menu
from components.house import choose_rules
from components.page import frame, show_empty
from components.trainer_panel import choose_mistake, choose_opponent, forward, show_history, show_rating
from components.trainer_table import keep_judged, play_hands, solve_spots
from words import trainer as say

import ofclab as ofc

TITLE = "Trainer"
ICON = ":material/fitness_center:"
SECTION = "Play"
ORDER = 9

here = frame(TITLE, say.QUESTION)
rules = choose_rules(here.context)
mode, against, seed = choose_opponent()
keep_judged()
judged = training.history()
show_rating(judged)
if mode == say.MODES[0]:
    play_hands(rules, against, seed)
elif mode == say.MODES[1]:
    solve_spots(rules, ofc.Spot.parse(training.tricky_spot(seed, rules.id, rules)), seed, forward)
elif (spot := choose_mistake(rules, seed)) is not None:
    solve_spots(rules, spot, seed, forward)
else:
    show_empty(say.NO_MISTAKES)
download_menu(here.menu, "trainer", show_history(judged))
