import type { Outcome } from './run-seed.ts'

const idPattern = /\b(?:v|j|msg|dlv)_\w{8,}/g

/** How the lines of a history read for somebody who does not know the code. */
const sayings: readonly [RegExp, string][] = [
  [/^row: status (\S+) (\S+) (\S+).*/, 'Video $1 is now $3 (it was $2).'],
  [/^row: created (\S+) (.*)/, 'The database has a new video $1, of the order “$2”.'],
  [/^row: attempt (\S+) (\S+)/, 'Job $1 begins attempt $2.'],
  [/^row: event (\S+) (\S+) (\S+)/, 'Event $1 tells $3 of video $2.'],
  [/^row: delivery (\S+) (\S+) (\S+) (\S+)/, 'Delivery $1 is now $3 after $4 attempts.'],
  [
    /^row: progress (\S+) (\S+) (\S+) (.*)/,
    'The progress of video $1 went from $2 to $3 while $4.',
  ],
  [/^row: outcome (\S+) (\S+) (\S+)/, 'Attempt $2 of job $1 has ended: $3.'],
  [/^row: deleted (\S+).*/, 'Video $1 is gone from the database.'],
  [/^FAULT: (.*?) \((.*)\) \[(\w+)\]$/, '*** $1, at: $2 [fault $3]'],
  [/^BROKEN: (.*)/, '!!! BROKEN: $1'],
  [/^work (\S+)\/(\d+): ends: (.*)/, 'The media worker ends its work on job $1, attempt $2: $3.'],
  [/^JobRunner\((\S+)\)\.(\w+)( \d+)?: (.*)/, 'The object of job $1 ($2) asks: $4'],
  [
    /^WebhookEndpoint\((\S+) (\S+)\)\.(\w+)( \d+)?: (.*)/,
    'The object of receiver $2 ($3) asks: $5',
  ],
  [/^Dispatcher\(slots\)\.(\w+)( \d+)?: (.*)/, 'The dispatcher ($1) asks: $3'],
  [/^tick (\d+)( \d+)?: (.*)/, 'The sweep asks: $3'],
  [/^spool-(\w+) .*?: (.*)/, 'The consumer of the queue $1 asks: $2'],
  [/^(\w+) (\S+) for (.+?): (.*)/, 'The service, on $1 $2, asks: $4'],
]

const chatter = /logs info|KeyGate\(/

/** The events around what is broken, as sentences with their times. */
export function diaryOf({ lines, broken }: Outcome): string[] {
  const subjects = subjectsOf(lines, broken[0] ?? '')
  return lines.filter((line) => isTold(line, subjects)).map(say)
}

/** All events, as sentences. */
export function tellAll({ lines }: Outcome): string[] {
  return lines.map(say)
}

/** The video, job, order and events that belong to what is broken. */
function subjectsOf(lines: readonly string[], broken: string): Set<string> {
  const subjects = new Set(broken.match(idPattern) ?? [])
  const order = /^([A-Z][a-z]+ \d+):/.exec(broken)?.[1]
  if (order !== undefined) subjects.add(order)
  for (let grown = -1; grown !== subjects.size;) {
    grown = subjects.size
    for (const line of lines) {
      const isLink = /: has v_|row: event |row: created /.test(line)
      if (!isLink || ![...subjects].some((subject) => line.includes(subject))) continue
      for (const id of line.match(idPattern) ?? []) subjects.add(id)
      const who = /^\S+ ([A-Z][a-z]+ \d+): has/.exec(line)?.[1]
      if (who !== undefined) subjects.add(who)
    }
  }
  return subjects
}

function isTold(line: string, subjects: ReadonlySet<string>): boolean {
  if (/ (FAULT|BROKEN): /.test(line)) return true
  if (chatter.test(line)) return false
  return [...subjects].some((subject) => line.includes(subject))
}

function say(line: string): string {
  const [, time = '0', what = ''] = /^(\S+) (.*)$/s.exec(line) ?? []
  for (const [pattern, sentence] of sayings) {
    if (pattern.test(what)) return `${clock(Number(time))}  ${what.replace(pattern, sentence)}`
  }
  return `${clock(Number(time))}  ${what}`
}

function clock(ms: number): string {
  const day = Math.floor(ms / 86_400_000) + 1
  return `day ${day} ${new Date(ms).toISOString().slice(11, 23)}`
}
