/** Characters that take two columns. */
const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|\uFE0F|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The width of a text in columns of a terminal: a combined character counts once, a wide one twice. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007E\u00A0-\u02FF]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}
