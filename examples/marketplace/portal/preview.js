// Shows the card as the form is typed.
const form = document.querySelector('form[enctype]');
const card = document.querySelector('.card');
const shown = (name) => card.querySelector(`[data-shows="${name}"]`);

form.addEventListener('input', ({ target }) => {
  if (target.name === 'listingInfo.backgroundColor') shown(target.name).style.backgroundColor = target.value;
  else if (target.name === 'logo') showLogo(target.files[0]);
  else shown(target.name)?.replaceChildren(target.value);
});

function showLogo(file) {
  if (!file) return;
  const image = Object.assign(new Image(), { className: 'logo', alt: '', src: URL.createObjectURL(file) });
  card.querySelector('.logo').replaceWith(image);
}
