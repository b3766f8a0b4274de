import { Icon } from '../components/text/icons.tsx';
import { useConnection } from '../data/connection.ts';

/** Says that the server does not answer, and when it does again. */
export function ConnectionLine() {
  const connection = useConnection();
  return (
    <div role="status" aria-label="Connection">
      {connection !== 'fine' && (
        <p className={`connection connection-${connection}`}>
          <Icon name={connection === 'lost' ? 'warning' : 'check'} size={16} />
          {connection === 'lost'
            ? 'Docent does not answer. Trying again. What you typed is kept.'
            : 'The connection is back.'}
        </p>
      )}
    </div>
  );
}
