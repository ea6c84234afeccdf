"""How fast are the trees? The library against its peers, as ratios in one run."""
