import math as _D
