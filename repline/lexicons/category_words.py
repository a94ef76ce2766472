"""Everyday categories and words that belong to them, the most typical first: a test that needs no other file."""

import csv
from pathlib import Path

CATEGORIES = {
    "country": "france germany china japan india england russia italy spain canada brazil mexico egypt greece israel "
    "iran iraq turkey poland portugal sweden norway cuba argentina australia afghanistan pakistan ireland",
    "city": "london paris rome berlin moscow tokyo chicago boston athens madrid vienna amsterdam philadelphia "
    "jerusalem alexandria baghdad atlanta edinburgh",
    "state": "california texas florida virginia ohio illinois georgia alabama tennessee kentucky pennsylvania "
    "massachusetts arizona alaska colorado michigan maryland missouri mississippi kansas",
    "continent or region": "africa asia europe america antarctica balkans scandinavia caucasus mediterranean siberia "
    "mesopotamia",
    "language": "english latin greek arabic french german spanish russian hebrew italian chinese turkish persian "
    "portuguese swedish sanskrit dutch japanese berber aramaic",
    "religion": "christianity islam judaism buddhism hinduism catholicism sikhism taoism jainism zoroastrianism "
    "protestantism paganism",
    "follower of a religion": "christians muslims jews catholics protestants buddhists hindus sikhs lutherans pagans "
    "mormons",
    "metal": "iron gold silver copper aluminium lead zinc tin nickel platinum mercury steel titanium uranium sodium "
    "lithium potassium magnesium calcium",
    "gas or other non-metal": "oxygen hydrogen nitrogen carbon helium chlorine sulfur fluorine phosphorus argon neon "
    "iodine silicon bromine arsenic ammonia methane",
    "month": "january february march april june july august september october november december",
    "day of the week": "monday tuesday wednesday thursday friday saturday sunday",
    "unit of time": "year month day hour week minute second century decade season millennium",
    "number": "two three four five six seven eight nine ten twelve twenty thirty hundred thousand million",
    "color": "red blue green yellow white black brown purple orange pink grey gray violet",
    "part of the body": "head arm leg hand foot eye ear nose mouth heart brain skin hair neck tongue knee shoulder "
    "chest stomach liver muscle blood bone teeth",
    "relative": "mother father brother sister son daughter uncle aunt cousin wife husband grandfather grandmother "
    "nephew niece grandson parents",
    "four-footed animal": "dog cat horse cow lion tiger sheep pig goat bear wolf deer elephant mouse fox rabbit cattle "
    "camel alligator crocodile",
    "bird": "eagle robin sparrow crow hawk pigeon duck owl chicken goose penguin swan albatross",
    "insect": "ant bee fly mosquito beetle butterfly wasp moth termite spider grasshopper aphid",
    "fish or sea animal": "shark trout salmon tuna cod whale dolphin crab eel lobster seal",
    "plant or tree": "oak pine maple rose palm grass fern willow birch cactus moss algae acacia",
    "food": "bread meat rice cheese butter fish milk eggs sugar salt potato soup corn wheat honey fruit",
    "fruit": "apple orange banana pear grape peach cherry lemon almond apricot olive plum",
    "drink": "water wine beer tea coffee milk juice whisky vodka rum alcohol",
    "article of clothing": "shirt shoes hat coat dress skirt trousers socks gloves jacket belt robe uniform",
    "material": "wood stone glass paper leather plastic clay cotton silk wool brick marble rubber concrete",
    "tool": "hammer saw knife axe nail drill shovel needle plough chisel rope wheel",
    "weapon": "gun sword knife bomb rifle spear arrow cannon missile pistol bow shield rocket artillery",
    "vehicle": "car bus truck train ship boat bicycle aircraft airplane helicopter van tank submarine automobile",
    "musical instrument": "piano guitar violin drum flute trumpet organ harp clarinet saxophone cello lyre",
    "building": "house church school hospital temple palace castle hotel library museum factory tower prison theatre "
    "stadium mosque cathedral",
    "part of a building": "door window wall roof floor room stairs gate ceiling kitchen basement column hall",
    "furniture": "chair table bed desk sofa lamp cabinet shelf bench drawer throne",
    "landform": "mountain hill valley river lake island desert plain coast beach forest canyon volcano peninsula "
    "plateau glacier cave",
    "weather": "rain snow wind storm hail fog cloud hurricane tornado thunder rainfall temperature drought flood",
    "heavenly body": "sun moon earth mars jupiter venus saturn mercury star comet planet asteroid",
    "science": "physics chemistry biology mathematics astronomy psychology medicine geology economics sociology "
    "anthropology linguistics geography geometry engineering philosophy",
    "occupation": "doctor lawyer teacher engineer farmer carpenter merchant nurse baker professor scientist clerk "
    "physician journalist architect judge",
    "artist": "painter sculptor poet writer composer novelist actor singer musician author director dancer playwright "
    "pianist guitarist",
    "ruler": "king queen emperor prince duke sultan president tsar pope chancellor pharaoh monarch governor senator "
    "caliph",
    "military rank": "general colonel captain major lieutenant sergeant admiral commander marshal soldier private",
    "clergy": "priest bishop pope monk cardinal rabbi minister abbot nun saint preacher deacon",
    "sport": "football baseball basketball tennis soccer hockey golf cricket rugby swimming boxing running wrestling "
    "volleyball cycling skiing",
    "crime": "murder theft robbery rape arson assault fraud kidnapping treason genocide terrorism slavery "
    "assassination",
    "disease": "cancer malaria smallpox tuberculosis measles influenza cholera plague diabetes pneumonia leprosy "
    "autism epilepsy fever",
    "emotion": "love anger fear joy hate sadness happiness grief hope pride anxiety pity jealousy pleasure desire",
    "form of government": "democracy monarchy republic dictatorship empire communism socialism anarchism fascism "
    "capitalism oligarchy feudalism",
    "reading material": "book newspaper magazine novel poem letter journal article essay dictionary encyclopedia bible "
    "play pamphlet manuscript",
    "writing": "letter word sentence alphabet vowel consonant syllable script phrase grammar verb noun",
    "school": "university college school academy institute kindergarten seminary faculty lyceum library",
    "greek god or hero": "zeus apollo athena achilles artemis hermes hector odysseus agamemnon patroclus aphrodite "
    "poseidon hera ares heracles",
    "philosopher": "aristotle plato socrates kant hegel nietzsche marx descartes hume aquinas locke spinoza leibniz",
    "first name of a man": "john william james george thomas charles henry robert edward richard david peter paul "
    "michael joseph samuel",
    "first name of a woman": "mary elizabeth anne sarah catherine margaret jane alice emma helen dagny agnes",
    "direction": "north south east west northern southern eastern western northwest northeast",
    "money": "dollar pound franc euro cent coin mark yen shilling gold tax",
    "business": "bank company trade industry market factory corporation shop firm insurance investment export",
}


def write(folder: str | Path) -> None:
    """Write `categories.csv` into `folder`: category and word a row, as published categories come."""
    with open(Path(folder) / "categories.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("category", "word"))
        rows.writerows((category, word) for category, words in CATEGORIES.items() for word in words.split())
