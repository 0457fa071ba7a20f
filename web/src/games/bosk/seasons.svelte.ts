/** What only the later seasons need. The first board does without it: it is
 * fetched once that stands, or before a later board is shown. */
type Year = typeof import('./year.ts');

class Seasons {
  year: Year | null = $state.raw(null);
  lost = $state(false); // it could not be fetched
  private coming: Promise<Year> | null = null;

  come(): Promise<Year> {
    this.coming ??= import('./year.ts').then(
      (year) => (this.year = year),
      (e) => {
        this.coming = null;
        this.lost = true;
        throw e;
      },
    );
    return this.coming;
  }
}

export const seasons = new Seasons();
