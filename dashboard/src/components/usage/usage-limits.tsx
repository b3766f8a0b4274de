import type { Usage } from '../../../../api/dashboard/contract/usage.ts';
import { Pager, usePages } from '../controls/pager.tsx';
import { Meter } from '../charts/meter.tsx';
import { Empty } from '../feedback/loaded.tsx';
import { formatCost, formatNumber, formatTime, plural } from '../text/format.tsx';

/** What is left of each limit. */
export function UsageLimits({ limits }: { limits: Usage['limits'] }) {
  const { organization, address, agentCost, keys } = limits;
  const pages = usePages(keys);
  return (
    <section className="section" aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <div className="grid-3">
        <RequestLimit name="Organization, this hour" {...organization} />
        <RequestLimit name={`Your address (${address.address}), today`} {...address} />
        <CostLimit {...agentCost} />
      </div>
      <div className="card">
        {keys.length === 0 ? (
          <Empty icon="keys" title="No assistant keys">
            Each assistant key has a monthly limit. Create a key on the API keys page.
          </Empty>
        ) : (
          <ul className="list">
            {pages.shown.map(key => (
              <KeyLimit key={key.id} limit={key} />
            ))}
          </ul>
        )}
      </div>
      <Pager pages={pages} label="Limits" />
    </section>
  );
}

function RequestLimit({
  name,
  used,
  limit,
  resetsAt,
}: {
  name: string;
  used: number;
  limit: number;
  resetsAt: string;
}) {
  return (
    <div className="card card-pad section">
      <h3>{name}</h3>
      <div className="figure">
        <span className="value">{formatNumber(Math.max(0, limit - used))}</span>
        <span className="name">left of {formatNumber(limit)} requests</span>
      </div>
      <Meter used={used} limit={limit} label={name} />
      <span className="small faint">resets {formatTime(resetsAt)}</span>
    </div>
  );
}

function CostLimit({
  usedUsd,
  limitUsd,
  callsWithoutPrice,
  modelsWithoutPrice,
}: Usage['limits']['agentCost']) {
  return (
    <div className="card card-pad section">
      <h3>Agent cost, this month</h3>
      <div className="figure">
        <span className="value">{formatCost(usedUsd)}</span>
        <span className="name">
          {limitUsd === null ? 'no limit' : `of ${formatCost(limitUsd)}`}
        </span>
      </div>
      {limitUsd !== null && (
        <Meter used={usedUsd ?? 0} limit={limitUsd} label="Agent cost this month" />
      )}
      {modelsWithoutPrice.length > 0 && (
        <span className="small">
          {limitUsd !== null && 'The limit cannot count '}
          {modelsWithoutPrice.join(', ')}
          {limitUsd !== null ? ': no price is set.' : ' has no price.'}
        </span>
      )}
      {callsWithoutPrice > 0 && (
        <span className="small faint">
          {plural(callsWithoutPrice, 'call')} without a price this month
        </span>
      )}
    </div>
  );
}

function KeyLimit({ limit: key }: { limit: Usage['limits']['keys'][number] }) {
  return (
    <li className="card-pad limit-row">
      <div>
        <strong>{key.name}</strong>{' '}
        <span className="small faint">
          {key.domain} · <span className="mono">{key.start}</span>
        </span>
      </div>
      <span className="small soft number" title={`resets ${formatTime(key.resetsAt)}`}>
        {formatNumber(Math.max(0, key.limit - key.used))} left of {formatNumber(key.limit)}
      </span>
      <Meter used={key.used} limit={key.limit} label={`Uses of ${key.name} this month`} />
    </li>
  );
}
