/** Whether the screen is a phone's: there signs stand for words, and one part of
 * the table is seen at a time. */
const query = matchMedia('(max-width: 699px), (max-height: 540px) and (max-width: 1179px)');

export const phone = $state({ small: query.matches });
query.addEventListener('change', () => (phone.small = query.matches));
