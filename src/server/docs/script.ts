/**
 * The page's script: copy buttons, one sample language for the whole page, and the reader's position in the contents.
 * Without the script everything is readable, and all samples are shown.
 */
export const SCRIPT = String.raw`(() => {
'use strict';
const root = document.documentElement;
const status = document.getElementById('status');

// Without HTTPS, browsers only support document.execCommand.
async function copy(text) {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {}
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('copy');
}

for (const block of document.querySelectorAll('.block')) {
  const code = block.querySelector('pre');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    let word = 'Copied';
    await copy(code.textContent).catch(() => { word = 'Not copied'; });
    button.focus();
    button.textContent = word;
    status.textContent = word;
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, 2000);
  });
  block.append(button);
}

const choices = [...document.querySelectorAll('.languages button')];
function choose(language) {
  root.dataset.language = language;
  for (const choice of choices) choice.setAttribute('aria-pressed', String(choice.value === language));
}
for (const choice of choices) {
  choice.parentElement.hidden = false;
  choice.addEventListener('click', () => {
    // The content above changes its height, so restore the reader's position.
    const before = choice.getBoundingClientRect().top;
    choose(choice.value);
    scrollBy(0, choice.getBoundingClientRect().top - before);
  });
}
if (choices.length > 0) choose(choices[0].value);

const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash.slice(1), link]));
const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
let isWaiting = false;
function mark() {
  isWaiting = false;
  let here = places[0];
  for (const place of places) if (place.getBoundingClientRect().top <= 120) here = place;
  for (const [id, link] of links) {
    if (here && id === here.id) link.setAttribute('aria-current', 'location');
    else link.removeAttribute('aria-current');
  }
}
addEventListener('scroll', () => {
  if (!isWaiting) requestAnimationFrame(mark);
  isWaiting = true;
}, { passive: true });
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
mark();
})();`;
