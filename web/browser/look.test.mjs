/** What looks at every screen finds what is wrong with one, and nothing else. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { longest } from './eventually.mjs';
import { barriers, cutOff, cutOffIn } from './look.mjs';
import { readIn, widths } from './looks.mjs';
import { browse, languages } from './stand.mjs';

let browser;
before(async () => (browser = await browse()));
after(() => browser?.close());

/** A page of 300 pixels with this on it. */
async function drawn(t, html) {
  const page = await browser.newPage({ viewport: { width: 300, height: 400 } });
  t.after(() => page.close());
  page.setDefaultTimeout(longest);
  await page.setContent(`<!doctype html><style>* { margin: 0; font: 20px/1.2 monospace } p { white-space: nowrap }</style>${html}`);
  return page;
}

/** What was found, without where: letters are not as wide everywhere. */
const plain = (found) => found.map((text) => text.replace(/ \([^)]*\)$/, ''));

const faults = {
  'the page is 500 px wide on a screen of 300': '<div style="width: 500px">broad</div>',
  '“hidden at the side” is cut off at the side': '<div style="width: 100px; overflow: hidden"><p>hidden at the side</p></div>',
  '“two lines” is cut off above or below': '<div class="low" style="height: 10px; overflow: clip"><p>two lines</p></div>',
  '“shortened by dots” ends in …': '<p style="width: 80px; overflow: auto; text-overflow: ellipsis">shortened by dots</p>',
  '“three lines” must be scrolled by 62': '<div style="height: 10px; overflow: auto" data-whole><p>three<br /> lines<br /><br /></p></div>',
  '“left of it” lies beside the screen': '<p style="position: relative; left: -40px">left of it</p>',
  '“higher” lies above the page': '<p style="position: relative; top: -30px">higher</p>',
  '“below” lies above or below the screen': '<p style="position: fixed; top: 390px">below</p>',
  '“one” and “other” lie on each other': '<section><p>one</p><p style="margin-top: -12px">other</p></section>',
  '“first” and “last” lie on each other': '<section><p>first</p><p style="position: relative; top: 200px">far below</p><p style="position: relative; top: -44px">last</p></section>',
};
for (const [fault, html] of Object.entries(faults))
  test(`found: ${fault}`, async (t) => {
    const found = plain(await cutOff(await drawn(t, html)));
    assert.ok(found.includes(fault), JSON.stringify(found));
  });

test('what can be scrolled to, is for screen readers, or lies below what stands above it, is not cut off', async (t) => {
  const fine = [
    '<div style="width: 100px; overflow: auto"><p>scrolled to the side</p></div>',
    '<div style="height: 10px; overflow: hidden auto"><p>scrolled<br />down</p></div>',
    '<div style="clip-path: inset(50%); width: 1px; overflow: hidden"><p>for those who hear it</p></div>',
    '<div hidden><p style="position: absolute; left: -99px">not there</p></div>',
    '<div style="width: 10px; height: 24px; overflow: hidden; visibility: hidden"><p>unseen</p></div>',
    '<section><p>one</p><p style="margin-top: -2px">close below it</p></section>',
    '<div style="height: 1000px">long</div>',
  ];
  assert.deepEqual(await cutOff(await drawn(t, fine.join(''))), []);
  const above = await drawn(t, '<p style="position: relative; left: -40px">beneath</p><dialog open><p>asks</p></dialog>');
  assert.deepEqual(await cutOff(above), []);
});

test('a text is looked at in each language, at its own size and enlarged, and is as it was afterwards', async (t) => {
  const page = await drawn(t, '<div style="width: 200px; height: 60px; overflow: clip"><p style="font-size: 20px">short</p></div>');
  // A page that has words for three languages, as ours has.
  await page.route('http://words.test/', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  const html = await page.content();
  await page.goto('http://words.test/');
  await page.setContent(html);
  await page.evaluate(() => {
    localStorage.setItem('copse.settings', '{"pace":"instant"}');
    const words = { en: 'short', fr: 'un mot long', it: 'un mot beaucoup trop long' };
    addEventListener('storage', ({ newValue }) => {
      const { language } = JSON.parse(newValue);
      document.querySelector('p').textContent = words[language];
      document.documentElement.lang = language;
    });
  });
  const found = (list) => plain(list).filter((text) => text.includes('cut off'));
  assert.deepEqual(found(await cutOffIn(page, ['it', 'fr', 'en'])), ['it: “un mot beaucoup trop long” is cut off at the side']);
  assert.deepEqual(found(await cutOffIn(page, ['it', 'fr', 'en'], 2)), [
    'it: “un mot beaucoup trop long” is cut off at the side',
    'it, text at 200 %: “un mot beaucoup trop long” is cut off at the side',
    'fr, text at 200 %: “un mot long” is cut off at the side',
  ]);
  assert.deepEqual(await page.evaluate(() => [document.querySelector('p').style.fontSize, JSON.parse(localStorage.getItem('copse.settings'))]), ['20px', { pace: 'instant', language: 'en' }]);
});

test('axe is asked all that can be serious, and nothing else', async (t) => {
  const serious = {
    'color-contrast': '<p style="color: #aaa; background: #fff">pale</p>',
    'target-size': '<button style="width: 9px; height: 9px; padding: 0" aria-label="one"></button><button style="width: 9px; height: 9px; padding: 0" aria-label="two"></button>',
    'button-name': '<button></button>',
    'image-alt': '<img src="data:," />',
    'scrollable-region-focusable': '<div style="height: 20px; overflow: auto"><p>long<br />longer<br />longest</p></div>',
  };
  const page = await drawn(t, `<title>faults</title><h1>one</h1><h4>far below it</h4>${Object.values(serious).join('')}`);
  await page.evaluate(() => (document.documentElement.lang = 'en'));
  const found = new Set((await barriers(page)).map((text) => text.split(':')[0]));
  assert.deepEqual([...found].sort(), Object.keys(serious).sort());
  const said = await page.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, impact }) => [id, impact]));
  assert.deepEqual(said.find(([id]) => id === 'heading-order'), ['heading-order', 'moderate'], 'what is left out is no barrier');
});

test('every screen is read in every language and at every size, and every language at every size', { skip: process.env.COPSE_TORTURE }, () => {
  const all = Object.keys(widths);
  const pairs = new Set();
  for (let n = 0; n < languages.length; n++) {
    const here = new Set();
    for (const size of all) {
      const read = readIn(n, size, 'it');
      assert.ok(read.length > 0, `screen ${n} is not read at ${size}`);
      for (const language of read) here.add(language) && pairs.add(`${size} ${language}`);
    }
    assert.equal(here.size, languages.length, `screen ${n} is not read in every language`);
  }
  assert.equal(pairs.size, all.length * languages.length);
});
