"""Answers to exercise 01 that must fail, and unusual ones that must pass.

Each is the whole text of an answer cell. WRONG has, for each question, the name of the mistake
whose message the answer must get, from the visible and from the hidden checks; HARMLESS says
what is unusual about an answer that is right.
"""

WRONG = {
    "q1": {
        "nats": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    p = p[p > 0]
    return -np.sum(p * np.log(p))
""",
        "sign": """
def entropy(p):
    return sum(x * math.log2(x) for x in p if x > 0)
""",
        "unweighted": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    return -np.sum(np.log2(p[p > 0]))
""",
        "log_of_zero": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    return -np.sum(p * np.log2(p))
""",
        "epsilon": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    return -np.sum(p * np.log2(p + 1e-6))
""",
        "no_return": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    p = p[p > 0]
    -np.sum(p * np.log2(p))
""",
        "wrong_type": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    return np.where(p > 0, -p * np.log2(np.where(p > 0, p, 1)), 0)
""",
    },
    "q2": {
        "transposed": """
def conditional_entropy(joint):
    joint = np.asarray(joint, dtype=float)
    return sum(row.sum() * entropy(row / row.sum()) for row in joint if row.sum() > 0)
""",
        "joint": """
def conditional_entropy(joint):
    return sum(entropy(column) for column in np.asarray(joint, dtype=float).T)
""",
        "unweighted": """
def conditional_entropy(joint):
    columns = np.asarray(joint, dtype=float).T
    return np.mean([entropy(c / c.sum()) for c in columns if c.sum() > 0])
""",
        "nats": """
def conditional_entropy(joint):
    joint = np.asarray(joint, dtype=float)
    p_y = joint.sum(axis=0)
    total = 0
    for i in range(joint.shape[0]):
        for j in range(joint.shape[1]):
            if joint[i, j] > 0:
                total -= joint[i, j] * math.log(joint[i, j] / p_y[j])
    return total
""",
        "zero_cell": """
def conditional_entropy(joint):
    joint = np.asarray(joint, dtype=float)
    return -np.sum(joint * np.log2(joint / joint.sum(axis=0)))
""",
    },
    "q3a": {
        "unweighted": """
def average_length(code, probabilities):
    return np.mean([len(word) for word in code.values()])
""",
        "by_position": """
def average_length(code, probabilities):
    return sum(len(word) * p for word, p in zip(code.values(), probabilities.values()))
""",
        "divided_twice": """
def average_length(code, probabilities):
    return np.mean([probabilities[symbol] * len(code[symbol]) for symbol in code])
""",
    },
    "q3b": {
        "missing_symbol": """
def huffman(probabilities):
    if len(probabilities) == 1:
        return {symbol: "0" for symbol in probabilities}
    groups = [(p, symbol) for symbol, p in probabilities.items()]
    code = {character: "" for _, symbol in groups for character in symbol}
    while len(groups) > 1:
        groups.sort()
        (p, left), (q, right) = groups[:2]
        for character in left:
            code[character] = "0" + code[character]
        for character in right:
            code[character] = "1" + code[character]
        groups = groups[2:] + [(p + q, left + right)]
    return code
""",
        "not_bits": """
def huffman(probabilities):
    groups = [(p, i, {symbol: []}) for i, (symbol, p) in enumerate(probabilities.items())]
    while len(groups) > 1:
        groups.sort(key=lambda group: group[0])
        (p, i, left), (q, _, right) = groups[:2]
        merged = {symbol: [0] + word for symbol, word in left.items()}
        merged |= {symbol: [1] + word for symbol, word in right.items()}
        groups = groups[2:] + [(p + q, i, merged)]
    return groups[0][2]
""",
        "empty_codeword": """
def huffman(probabilities):
    groups = [(p, i, {symbol: ""}) for i, (symbol, p) in enumerate(probabilities.items())]
    while len(groups) > 1:
        groups.sort(key=lambda group: group[0])
        (p, i, left), (q, _, right) = groups[:2]
        merged = {symbol: "0" + word for symbol, word in left.items()}
        merged |= {symbol: "1" + word for symbol, word in right.items()}
        groups = groups[2:] + [(p + q, i, merged)]
    return groups[0][2]
""",
        "backwards": """
def huffman(probabilities):
    if len(probabilities) == 1:
        return {symbol: "0" for symbol in probabilities}
    groups = [(p, i, {symbol: ""}) for i, (symbol, p) in enumerate(probabilities.items())]
    while len(groups) > 1:
        groups.sort(key=lambda group: group[0])
        (p, i, left), (q, _, right) = groups[:2]
        merged = {symbol: word + "0" for symbol, word in left.items()}
        merged |= {symbol: word + "1" for symbol, word in right.items()}
        groups = groups[2:] + [(p + q, i, merged)]
    return groups[0][2]
""",
        "not_prefix_free": """
def huffman(probabilities):
    ranked = sorted(probabilities, key=probabilities.get, reverse=True)
    return {symbol: format(rank, "b") for rank, symbol in enumerate(ranked)}
""",
        "largest_first": """
def huffman(probabilities):
    if len(probabilities) == 1:
        return {symbol: "0" for symbol in probabilities}
    groups = [(p, i, {symbol: ""}) for i, (symbol, p) in enumerate(probabilities.items())]
    while len(groups) > 1:
        groups.sort(key=lambda group: -group[0])
        (p, i, left), (q, _, right) = groups[:2]
        merged = {symbol: "0" + word for symbol, word in left.items()}
        merged |= {symbol: "1" + word for symbol, word in right.items()}
        groups = groups[2:] + [(p + q, i, merged)]
    return groups[0][2]
""",
        "fixed_length": """
def huffman(probabilities):
    bits = max(1, math.ceil(math.log2(len(probabilities))))
    return {symbol: format(i, f"0{bits}b") for i, symbol in enumerate(probabilities)}
""",
        "shannon": """
def huffman(probabilities):
    if len(probabilities) == 1:
        return {symbol: "0" for symbol in probabilities}
    code, start = {}, 0
    for symbol in sorted(probabilities, key=probabilities.get, reverse=True):
        bits = math.ceil(-math.log2(probabilities[symbol]) - 1e-12)
        code[symbol] = format(math.ceil(start * 2**bits - 1e-9), f"0{bits}b")
        start = (math.ceil(start * 2**bits - 1e-9) + 1) / 2**bits
    return code
""",
        "not_optimal": """
def huffman(probabilities):
    if len(probabilities) == 1:
        return {symbol: "0" for symbol in probabilities}
    ranked = sorted(probabilities, key=probabilities.get)
    groups = [{symbol: ""} for symbol in ranked]
    while len(groups) > 1:
        left, right = groups[:2]
        merged = {symbol: "1" + word for symbol, word in left.items()}
        merged |= {symbol: "0" + word for symbol, word in right.items()}
        groups = [merged] + groups[2:]
    return groups[0]
""",
    },
    "q4a": {
        "nats": """
def bits_per_letter(text, counts):
    n = sum(counts.values()) + 26
    return -sum(math.log((counts[letter] + 1) / n) for letter in text) / len(text)
""",
        "sign": """
def bits_per_letter(text, counts):
    n = sum(counts.values()) + 26
    return np.mean([np.log2((counts[letter] + 1) / n) for letter in text])
""",
        "total": """
def bits_per_letter(text, counts):
    n = sum(counts.values()) + 26
    return -sum(math.log2((counts[letter] + 1) / n) for letter in text)
""",
        "unsmoothed": """
def bits_per_letter(text, counts):
    n = sum(counts.values())
    return -sum(math.log2(counts[letter] / n) for letter in text) / len(text)
""",
        "sum_above_one": """
def bits_per_letter(text, counts):
    n = sum(counts.values())
    return -sum(math.log2((counts[letter] + 1) / n) for letter in text) / len(text)
""",
    },
    "q4b": {
        "worst": """
def language_of(text, models):
    return max(models, key=lambda name: bits_per_letter(text, models[name]))
""",
        "unsmoothed": """
def language_of(text, models):
    bits = {}
    for name, counts in models.items():
        q = np.array([counts[letter] for letter in text]) / sum(counts.values())
        bits[name] = -np.mean(np.log2(q))
    return min(bits, key=bits.get)
""",
        "raw_counts": """
def language_of(text, models):
    bits = {}
    for name, counts in models.items():
        bits[name] = -sum(math.log2(counts[letter] + 1) for letter in text)
    return min(bits, key=bits.get)
""",
        "text_ignored": """
def language_of(text, models):
    bits = {}
    for name, counts in models.items():
        q = np.array(list(counts.values())) + 1
        bits[name] = entropy(q / q.sum())
    return min(bits, key=bits.get)
""",
        "wrong_type": """
def language_of(text, models):
    return min(bits_per_letter(text, counts) for counts in models.values())
""",
    },
    "q5": {
        "even_spacing": """
def wasserstein_histogram(p, q, positions):
    return np.sum(np.abs(np.cumsum(p) - np.cumsum(q)))
""",
        "signed": """
def wasserstein_histogram(p, q, positions):
    return np.sum((np.cumsum(p) - np.cumsum(q))[:-1] * np.diff(positions))
""",
        "abs_at_end": """
def wasserstein_histogram(p, q, positions):
    return abs(np.dot(p, positions) - np.dot(q, positions))
""",
        "not_cumulative": """
def wasserstein_histogram(p, q, positions):
    return np.sum(np.abs(np.asarray(p) - np.asarray(q))[:-1] * np.diff(positions))
""",
        "wrong_gap": """
def wasserstein_histogram(p, q, positions):
    surplus = np.abs(np.cumsum(p) - np.cumsum(q))
    return np.sum(surplus * np.diff(positions, prepend=positions[0]))
""",
        "last_gap": """
def wasserstein_histogram(p, q, positions):
    return np.sum(np.abs(np.cumsum(p - q)) * np.diff(positions))
""",
    },
    "q6": {
        "target": """
def best_attribute(frame, target):
    told = {}
    for column in frame.columns:
        joint = pd.crosstab(frame[target], frame[column], normalize=True).to_numpy()
        told[column] = entropy(joint.sum(axis=1)) - conditional_entropy(joint)
    return max(told, key=told.get)
""",
        "least": """
def best_attribute(frame, target):
    left = {}
    for column in frame.columns.drop(target):
        joint = pd.crosstab(frame[target], frame[column], normalize=True).to_numpy()
        left[column] = conditional_entropy(joint)
    return max(left, key=left.get)
""",
        "last_tie": """
def best_attribute(frame, target):
    best, most = None, -1
    for column in frame.columns.drop(target):
        joint = pd.crosstab(frame[target], frame[column], normalize=True).to_numpy()
        told = entropy(joint.sum(axis=1)) - conditional_entropy(joint)
        if told >= most:
            best, most = column, told
    return best
""",
        "unweighted": """
def best_attribute(frame, target):
    left = {}
    for column in frame.columns.drop(target):
        parts = [part[target].value_counts(normalize=True) for _, part in frame.groupby(column)]
        left[column] = np.mean([entropy(part) for part in parts])
    return min(left, key=left.get)
""",
        "most_values": """
def best_attribute(frame, target):
    columns = frame.columns.drop(target)
    return max(columns, key=lambda name: entropy(frame[name].value_counts(normalize=True)))
""",
        "wrong_type": """
def best_attribute(frame, target):
    told = []
    for column in frame.columns.drop(target):
        joint = pd.crosstab(frame[target], frame[column], normalize=True).to_numpy()
        told.append(entropy(joint.sum(axis=1)) - conditional_entropy(joint))
    return np.argmax(told)
""",
    },
}

HARMLESS = {
    "q1": {
        "a loop, a Python float": """
def entropy(probabilities):
    total = 0.0
    for probability in probabilities:
        if probability > 0:
            total -= probability * math.log2(probability)
    return total
""",
        "warns on the way, divides natural logarithms": """
def entropy(p):
    p = np.asarray(p, dtype=float)
    return np.nansum(-p * np.log(p)) / np.log(2)
""",
    },
    "q2": {
        "the chain rule": """
def conditional_entropy(joint):
    joint = np.asarray(joint)
    return entropy(joint.ravel()) - entropy(joint.sum(axis=0))
""",
        "a helper of its own": """
def plogp(p):
    return 0 if p == 0 else p * math.log2(p)

def conditional_entropy(table):
    p_y = [sum(column) for column in zip(*table)]
    return float(sum(map(plogp, p_y)) - sum(plogp(p) for row in table for p in row))
""",
    },
    "q3a": {
        "pandas": """
def average_length(code, probabilities):
    return (pd.Series(code).str.len() * pd.Series(probabilities)).sum()
""",
    },
    "q3b": {
        "ties the other way, ones before zeros, another order of symbols": """
def huffman(probabilities):
    if len(probabilities) == 1:
        return dict.fromkeys(probabilities, "1")
    groups = [(p, {symbol: ""}) for symbol, p in reversed(probabilities.items())]
    while len(groups) > 1:
        groups.sort(key=lambda group: group[0], reverse=True)
        (p, left), (q, right) = groups.pop(), groups.pop()
        merged = {symbol: "1" + word for symbol, word in left.items()}
        merged.update({symbol: "0" + word for symbol, word in right.items()})
        groups.insert(0, (p + q, merged))
    return groups[0][1]
""",
        "a tree, read from the root": """
def huffman(probabilities):
    heap = [(p, i, symbol) for i, (symbol, p) in enumerate(probabilities.items())]
    heapq.heapify(heap)
    count = len(heap)
    while len(heap) > 1:
        one, other = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (one[0] + other[0], count, (one, other)))
        count += 1
    code = {}
    def walk(node, word):
        if isinstance(node[2], tuple):
            walk(node[2][0], word + "0")
            walk(node[2][1], word + "1")
        else:
            code[node[2]] = word or "0"
    walk(heap[0], "")
    return code
""",
    },
    "q4a": {
        "counts of the text": """
def bits_per_letter(text, counts):
    seen = count_letters(text)
    c = np.array([counts[letter] + 1 for letter in ascii_lowercase])
    share = np.array([seen[letter] for letter in ascii_lowercase]) / len(text)
    return share @ -np.log2(c / c.sum())
""",
    },
    "q4b": {
        "the largest likelihood, np.str_": """
def language_of(text, models):
    names = list(models)
    scores = []
    for name in names:
        n = sum(models[name].values()) + 26
        scores.append(sum(math.log((models[name][letter] + 1) / n) for letter in text))
    return np.array(names)[np.argmax(scores)]
""",
    },
    "q5": {
        "carrying earth from left to right": """
def wasserstein_histogram(p, q, positions):
    carried, work = 0.0, 0.0
    for i in range(len(p) - 1):
        carried += p[i] - q[i]
        work += abs(carried) * (positions[i + 1] - positions[i])
    return work
""",
    },
    "q6": {
        "least conditional entropy": """
def best_attribute(frame, target):
    left = {}
    for name in frame:
        if name != target:
            joint = pd.crosstab(frame[target], frame[name]) / len(frame)
            left[name] = conditional_entropy(joint)
    return min(left, key=left.get)
""",
    },
}
