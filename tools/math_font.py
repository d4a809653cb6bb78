"""Writes the font of mathematics that HTML pages embed: `python tools/math_font.py`.

matplotlib ships the STIX fonts under the SIL Open Font License, without a MATH table: browsers
then know neither the sizes of brackets nor where scripts stand. This takes what our formulas need
of them, brings the sizes of each bracket into one font, and adds the table. By the license the
font has a name of its own.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any

from fontTools.otlLib.builder import buildMathTable
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from matplotlib import get_data_path

FONTS = Path(get_data_path()) / "fonts/ttf"
TARGET = Path(__file__).parents[1] / "logca/report/math.woff"
NAME = "Logca Math"
SIZES = ("One", "Two", "Three", "Four")
STRETCHED = "()[]{}"
TALL = "{"
TALLER = (1.3, 1.7, 2.2, 3.0)  # beyond its largest glyph the brace of cases is pulled upwards
ROOT, SUM = "√", "∑"
WANTED = (
    *range(0x20, 0x7F),
    *range(0x391, 0x3CA),  # Greek
    0x210E,
    *range(0x1D434, 0x1D468),  # slanted letters, of which h is the one above
    *range(0x1D6E2, 0x1D71C),
    *map(ord, "\u00a0¯·×′√∑∂∞−≠≤≥↑→↓↔ℓ"),
)
CONSTANTS: dict[str, Any] = {
    "ScriptPercentScaleDown": 72, "ScriptScriptPercentScaleDown": 58,
    "DelimitedSubFormulaMinHeight": 1300, "DisplayOperatorMinHeight": 1300,
    "MathLeading": 150, "AxisHeight": 252, "AccentBaseHeight": 450,
    "FlattenedAccentBaseHeight": 662, "SubscriptShiftDown": 210, "SubscriptTopMax": 360,
    "SubscriptBaselineDropMin": 50, "SuperscriptShiftUp": 380, "SuperscriptShiftUpCramped": 290,
    "SuperscriptBottomMin": 120, "SuperscriptBaselineDropMax": 250, "SubSuperscriptGapMin": 150,
    "SuperscriptBottomMaxWithSubscript": 380, "SpaceAfterScript": 40, "UpperLimitGapMin": 135,
    "UpperLimitBaselineRiseMin": 300, "LowerLimitGapMin": 135, "LowerLimitBaselineDropMin": 670,
    "StackTopShiftUp": 470, "StackTopDisplayStyleShiftUp": 780, "StackBottomShiftDown": 385,
    "StackBottomDisplayStyleShiftDown": 690, "StackGapMin": 150, "StackDisplayStyleGapMin": 300,
    "StretchStackTopShiftUp": 800, "StretchStackBottomShiftDown": 590,
    "StretchStackGapAboveMin": 68, "StretchStackGapBelowMin": 68, "FractionNumeratorShiftUp": 585,
    "FractionNumeratorDisplayStyleShiftUp": 640, "FractionNumeratorGapMin": 96,
    "FractionNumDisplayStyleGapMin": 128, "FractionRuleThickness": 60,
    "FractionDenominatorShiftDown": 585, "FractionDenominatorDisplayStyleShiftDown": 640,
    "FractionDenominatorGapMin": 96, "FractionDenomDisplayStyleGapMin": 128,
    "SkewedFractionHorizontalGap": 350, "SkewedFractionVerticalGap": 68, "OverbarVerticalGap": 175,
    "OverbarRuleThickness": 60, "OverbarExtraAscender": 60, "UnderbarVerticalGap": 175,
    "UnderbarRuleThickness": 60, "UnderbarExtraDescender": 60, "RadicalVerticalGap": 82,
    "RadicalDisplayStyleVerticalGap": 160, "RadicalRuleThickness": 60, "RadicalExtraAscender": 60,
    "RadicalKernBeforeDegree": 277, "RadicalKernAfterDegree": -335,
    "RadicalDegreeBottomRaisePercent": 65,
}  # fmt: skip
"""Measures in thousandths of an em, as usual for STIX."""


def subset() -> TTFont:
    """What formulas need of the upright and slanted letters and of the signs."""
    font = TTFont(FONTS / "STIXGeneral.ttf", recalcTimestamp=False)
    options = Options()
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "kern", "FFTM", "DSIG"]
    options.name_IDs = ["*"]
    options.hinting = False
    options.glyph_names = True
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=WANTED)
    subsetter.subset(font)
    return font


def with_sizes(font: TTFont) -> dict[str, list[tuple[str, int]]]:
    """Add the larger brackets, roots and sums; for each sign its glyphs with their heights."""
    found: dict[str, list[tuple[str, int]]] = {}
    own = font.getBestCmap()
    for sign in (*STRETCHED, ROOT, SUM):
        found[own[ord(sign)]] = [(own[ord(sign)], height(font, own[ord(sign)]))]
    for size in SIZES:
        other = TTFont(FONTS / f"STIXSiz{size}SymReg.ttf")
        names = other.getBestCmap()
        for sign in (*STRETCHED, ROOT, SUM):
            source, base = names.get(ord(sign)), own[ord(sign)]
            if source is None or height(other, source) <= found[base][-1][1]:
                continue
            target = f"{base}.{size}"
            font.setGlyphOrder([*font.getGlyphOrder(), target])
            font["glyf"][target] = deepcopy(other["glyf"][source])
            font["hmtx"][target] = other["hmtx"][source]
            found[base].append((target, height(other, source)))
    for sign in TALL:
        base = own[ord(sign)]
        largest, _ = found[base][-1]
        for factor in TALLER:
            target = f"{base}.{factor}"
            font.setGlyphOrder([*font.getGlyphOrder(), target])
            glyph = deepcopy(font["glyf"][largest])
            glyph.coordinates.scale((1, factor))
            glyph.coordinates.toInt()
            glyph.recalcBounds(font["glyf"])
            font["glyf"][target], font["hmtx"][target] = glyph, font["hmtx"][largest]
            found[base].append((target, height(font, target)))
    return found


def height(font: TTFont, name: str) -> int:
    """Height of a glyph, from its lowest to its highest point."""
    glyph = font["glyf"][name]
    return int(glyph.yMax - glyph.yMin)


def overhangs(font: TTFont) -> dict[str, int]:
    """How far slanted letters reach beyond their width, where superscripts make room."""
    names = {code: name for code, name in font.getBestCmap().items() if code > 0xFFFF}
    right = {name: font["glyf"][name].xMax - font["hmtx"][name][0] for name in names.values()}
    return {name: over for name, over in right.items() if over > 0}


def itself(font: TTFont, sign: str) -> dict[str, list[tuple[str, int]]]:
    """A sign that grows no wider: browsers take the table only if it has each of its parts."""
    name = font.getBestCmap()[ord(sign)]
    return {name: [(name, font["hmtx"][name][0])]}


def renamed(font: TTFont) -> None:
    """A name of its own; copyright and license stay."""
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = NAME.replace(" ", "") if record.nameID == 6 else NAME
        elif record.nameID not in (0, 2, 13, 14):
            font["name"].names.remove(record)


def main() -> None:
    """Write the font."""
    font = subset()
    variants = with_sizes(font)
    buildMathTable(
        font,
        constants=CONSTANTS,
        italicsCorrections=overhangs(font),
        vertGlyphVariants=variants,
        horizGlyphVariants=itself(font, "^"),
        minConnectorOverlap=20,
    )
    renamed(font)
    font.flavor = "woff"
    font.save(TARGET)
    print(
        f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} kB, {len(font.getGlyphOrder())} glyphs"
    )


if __name__ == "__main__":
    main()
