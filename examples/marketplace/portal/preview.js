// Shows the card and what is left of each limit as the form is typed, keeps what is typed, and follows the review.
const form = document.querySelector('form[enctype]');
const card = document.querySelector('.card');
const kept = `portal ${form.dataset.app}`;
const fields = [...form.elements].filter(({ dataset }) => dataset.max);

form.addEventListener('input', ({ target }) => {
  show(target);
  if (!target.dataset.max) return;
  localStorage.setItem(kept, JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))));
});
fields.forEach(showLimit);
restore();
follow();

function show(field) {
  if (field.name === 'listingInfo.backgroundColor') card.style.setProperty('--card-ground', field.value);
  else if (field.name === 'logo') showLogo(field.files[0]);
  else card.querySelector(`[data-shows="${field.name}"]`)?.replaceChildren(field.value);
  showLimit(field);
}

/** In characters as the registry counts them: an emoji is one or more, but never half. */
function showLimit({ name, value, dataset }) {
  const output = form.querySelector(`output[for="${name}"]`);
  if (!output) return;
  const left = Number(dataset.max) - [...value].length;
  output.textContent = left < 0 ? `${-left} too many.` : `${left} left.`;
  output.classList.toggle('over', left < 0);
}

function showLogo(file) {
  if (!file) return;
  const image = Object.assign(new Image(), { className: 'logo', alt: '', src: URL.createObjectURL(file) });
  card.querySelector('.logo').replaceWith(image);
}

/** What was typed before the session ended or the window was closed. What has been saved is not kept. */
function restore() {
  if (new URLSearchParams(location.search).has('saved')) localStorage.removeItem(kept);
  const values = JSON.parse(localStorage.getItem(kept) ?? '{}');
  const typed = fields.filter(
    (field) => !field.matches(':disabled') && values[field.name] !== undefined && values[field.name] !== field.value,
  );
  for (const field of typed) {
    field.value = values[field.name];
    show(field);
  }
  const note = document.getElementById('restored');
  note.hidden = typed.length === 0;
  note.querySelector('button').addEventListener('click', () => {
    localStorage.removeItem(kept);
    location.reload();
  });
}

/** A page without typed text shows the decision by itself; another says that there is one. */
async function follow() {
  const response = await fetch(`/apps/${form.dataset.app}/state`).catch(() => undefined);
  const state = response?.ok && !response.redirected ? await response.text() : form.dataset.state;
  if (state === form.dataset.state) setTimeout(follow, 3_000);
  else if (localStorage.getItem(kept) === null) location.replace(`/apps/${form.dataset.app}`);
  else document.getElementById('moved').hidden = false;
}
