/**
 * Replaces the text between the two marks of a generated section in a page that is otherwise hand-written.
 *
 * @throws {TypeError} when the page lacks one of the marks
 */
export function fillSection(page: string, section: string, content: string): string {
  const start = `<!-- generated: ${section} -->\n`;
  const end = `\n<!-- end of ${section} -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new TypeError(`the page has no section "${section}" to fill`);
  return `${page.slice(0, from + start.length)}${content}${page.slice(to)}`;
}
