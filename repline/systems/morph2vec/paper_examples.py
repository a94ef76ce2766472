"""Examples printed in the paper: chains of table 2, pairs of table 5, analogies of table 9, morphs of table 11.

Source: Üstün et al. 2018.
"""

PAIRS = {
    "books_butchers": ("kitaplardan", "kasaplardan"),
    "paper_glass": ("kağıttakiler", "bardaktakiler"),
    "companies_firms": ("şirketlerde", "firmalarda"),
    "winners_losers": ("kazananlardı", "yenilenlerdi"),
    "car_cars": ("araba", "arabalar"),
    "cars_my_cars": ("arabalar", "arabalarım"),
    "my_cars_of_my_cars": ("arabalarım", "arabalarımın"),
}
QUESTIONS = {
    "come_hear": ("geldim", "gelmedim", "duydum", "duymadım"),
    "solve_find": ("çözmüş", "çözmüştü", "bulmuş", "bulmuştu"),
    "open_cover": ("açmak", "açılmak", "örtmek", "örtünmek"),
}
FORMS = ("iyor", "mı", "dı", "mış")
