"""What the experiments compute: word (sample, filters, histogram), search (beam), loop, gallery; common is what they share.

Every number comes out of models/; nothing here draws.
"""
