// Shows each event as it arrives. Its values are text, never HTML.
const list = document.querySelector('#events');
const template = document.querySelector('#event');

new EventSource(`/events?after=${list.dataset.last}`).addEventListener('message', ({ data }) => {
  const item = template.content.cloneNode(true);
  for (const [name, text] of Object.entries(JSON.parse(data))) {
    const place = item.querySelector(`.${name}`);
    place.textContent = name === 'timestamp' ? text.slice(11, 19) : text;
  }
  list.prepend(item);
});
