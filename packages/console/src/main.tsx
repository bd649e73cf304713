import { render } from 'preact';
import { Console } from './console.tsx';
import './style.css';
import './style/tabs.css';
import './style/evidence.css';
import './style/card.css';
import './style/review.css';
import './style/decision.css';
import './style/screens.css';

render(<Console />, document.getElementById('console') as HTMLElement);
