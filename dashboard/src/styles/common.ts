/** What every page of ours needs, in the order in which it is to apply. */
import './tokens.css';
import './base.css';
import './buttons.css';
import './forms.css';
import './controls.css';
import './shell.css';
import './pages.css';
