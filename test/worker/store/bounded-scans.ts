/** Intended scans, and why they are limited. */
const bounded: { statement: RegExp; scan: RegExp; because: string }[] = [
  {
    statement: /^SELECT 1 FROM accounts LIMIT 1$/,
    scan: /^SCAN accounts/,
    because: 'the health check reads one row of any account',
  },
  {
    statement: /from "accounts" order by/,
    scan: /^SCAN accounts/,
    because: 'accounts.list, which the operator asks for',
  },
  {
    statement: /from "api_keys" order by/,
    scan: /^SCAN api_keys/,
    because: 'keys.list without an account, which the operator asks for',
  },
  {
    statement: /from "jobs" inner join "videos" .*order by "videos".rowid desc limit \?$/,
    scan: /^SCAN videos$/,
    because: 'jobs.list, which the operator asks for: the newest first, until the page is full',
  },
  {
    statement:
      /from "webhook_deliveries" inner join .*order by "webhook_deliveries"."created_at" desc limit \?$/,
    scan: /^SCAN webhook_deliveries USING INDEX webhook_deliveries_by_age$/,
    because: 'webhooks.list without an account, likewise',
  },
  {
    statement: /status"? = 'queued'/,
    scan: /^SCAN (v|videos) USING (COVERING )?INDEX videos_queued$/,
    because: 'the videos in line: entries of an index that has nothing else',
  },
  {
    statement: /select value from json_each/,
    scan: /^SCAN json_each VIRTUAL TABLE/,
    because: 'a list of ids that was bound as one value',
  },
  {
    statement: /^insert into "webhook_deliveries" .* from json_each\(\?\) as told/s,
    scan: /^SCAN told VIRTUAL TABLE/,
    because: 'the deliveries of one event, which were bound as one value',
  },
  {
    statement: /FROM json_each\(\?1\) AS v/,
    scan: /^SCAN v VIRTUAL TABLE/,
    because: 'the videos of one batch, which were bound as one value',
  },
  {
    statement: /FROM usage_totals$/,
    scan: /^SCAN usage_totals$/,
    because: 'the sums of all accounts for the operator, at most every five seconds',
  },
  {
    statement: /row_number\(\) over \(partition by/,
    scan: /^SCAN \(subquery-\d+\)$/,
    because:
      'the deliveries that are due, which an index has found, in the order of their accounts',
  },
  {
    statement:
      /^select \(select count\(\*\) from \(select 1 from "videos" .* limit \?\)\) as queued/,
    scan: /^SCAN \(subquery-\d+\)$/,
    because: 'how many videos have each status, of which an index has found at most a thousand',
  },
  {
    statement: /^insert into people /,
    scan: /^SCAN invitations$/,
    because: 'read only where an invitation names a person before that person is stored; none does',
  },
  {
    statement: /not exists \(select 1 from jobs as l where l\.waits > 0\)/,
    scan: /^SCAN l USING INDEX jobs_in_line$/,
    because: 'whether anybody stands in line: the first entry of an index that has nobody else',
  },
  {
    statement: /FROM jobs WHERE waits > 0 GROUP BY account_id/,
    scan: /^SCAN (jobs USING INDEX jobs_in_line|l)$/,
    because:
      'how many jobs of each account stand in line, once a minute: entries of an index that has nobody else',
  },
  {
    statement: /FROM accounts AS a CROSS JOIN videos AS v/,
    scan: /^SCAN a$/,
    because: 'which videos are old enough to be archived: one look into an index for each account',
  },
  {
    statement: /FROM json_each\(\?1\)/,
    scan: /^SCAN (r|json_each) VIRTUAL TABLE/,
    because: 'the videos that are archived together, which were bound as one value',
  },
]

export function isBounded(statement: string, scan: string): boolean {
  return bounded.some((known) => known.statement.test(statement) && known.scan.test(scan))
}
