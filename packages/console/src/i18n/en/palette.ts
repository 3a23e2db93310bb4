export const palette = {
  title: 'Search',
  placeholder: 'Name, phone, code, page…',
  found: 'Results',
  pages: 'Pages',
  nothing: 'Nothing matches. Try part of a name, a phone number or a code.',
  failed: 'The search failed.',
  someFailed: 'Part of the search failed.',
};
