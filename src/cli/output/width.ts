/** Scripts and forms whose characters take two columns. */
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|\uFE0F|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The width of a text in terminal columns: combined characters count once, wide ones twice. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007E\u00A0-\u02FF]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
