"""Sentences that this lesson offers."""

HOUSE = "the beautiful house was bought ."
MARKET = "yesterday , she went to the market ."
CAR = "the car of the european minister is black ."
BOOKS = "the small books are old ."
LETTERS = "his letters are not beautiful ."
MATCH = "the match was a piece of cake ."
RIVER = "i arrived at the bank after crossing the river ."
AGREEMENT = "the agreement on the european economic area was signed in august 1992 ."
BIRDS = "when we gave them the letters , two big birds were seen in the garden ."
LETTER = "the beautiful letter of my young children was written in january 1992 because it was important ."
SOUP = "marie eats the soup while she works with these girls at the market ."

GENDER = "le belle maison a été achetée ."  # one wrong word: la
OWN = "la belle maison a été achetée ."
