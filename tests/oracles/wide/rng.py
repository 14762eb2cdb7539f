"""The one stream of random numbers: a seed gives the same programs for ever."""
import random

R = random.Random(0)
