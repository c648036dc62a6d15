/** What was promised, for readers who learn that it was broken. The first match counts. */
const promises: readonly [RegExp, string][] = [
  [
    /is called silent|and its lead is told: |with its container, which|is said to be stored/,
    'What others make for a film is not lost while nothing fails, and is there if its lead is told so.',
  ],
  [/is made twice|was given twice/, 'A part of a film is given to one media worker at a time.'],
  [
    /was named|names of its speakers/,
    'Speakers have the names that somebody has given them, in the record and in every file.',
  ],
  [
    /is off, and|disabled or deleted|which has ended long ago/,
    'An endpoint that is disabled or deleted gets nothing more.',
  ],
  [
    /container .* still runs|has given it up|(keeps|has) the slot/,
    'A slot is given back when its work is over.',
  ],
  [/the (lastSequence|percent|saves) of/, 'A report that comes late takes nothing back.'],
  [/is to fetch storage:/, 'A media worker is told addresses that it can fetch.'],
  [
    /is over, and nobody has waited|nobody has heard it/,
    'Code that begins work waits for its end and hears how it went: the platform stops what is left.',
  ],
  [/has waited \d.* for the answer/, 'A cancel is answered at once, whatever its job waits for.'],
  [
    /made long after its batch|was canceled, and .* has not ended|of its batch|goes on of a batch/,
    'A cancel of a batch reaches all of its videos.',
  ],
  [
    /its media worker told|was told otherwise|told of (a|no) pace|the picture .* is lost/,
    'A record tells what its media worker has told of the result.',
  ],
  [/has said nothing for a minute/, 'A stream of events says that it is there.'],
  [/did not begin with the record/, 'A stream of events begins with what there is to tell.'],
  [/has the same result already/, 'The same work is done once.'],
  [/cap that was lifted/, 'The newest plan of an account counts.'],
  [/whose file is not there/, 'A video is made of a file that is there.'],
  [
    /the progress of the \w+ of/,
    'What was shown of a transcript or an analysis does not fall, whatever a new attempt tells.',
  ],
  [/without its output/, 'A video that succeeds has every output that was asked for.'],
  [/a (forged )?report about/, 'Only the media worker that has an attempt reports about it.'],
  [
    /may store a result, and the disk/,
    'Nothing is stored on a disk that has no room left, also no result.',
  ],
  [
    /who is not an owner|mails about|of its budget/,
    'The owners of an account are told of its budget once, and nobody else is.',
  ],
  [
    /a name was confirmed|new name/,
    'A video that was renamed has its new name from then on, also for those who follow it.',
  ],
  [/is to come again, and nothing/, 'A message that was dealt with does not come again.'],
  [
    /went from \w+ to \w+$|was removed while/,
    'A video or an upload goes from state to state as documented, and ends once.',
  ],
  [/event .* two bodies/, 'An event is sent with the same body each time.'],
  [/came to .*, and/, 'A webhook is signed with the secrets that its account has.'],
  [
    /foreign event|two events|without an event|has an event|tells other progress|has no event|has the event/,
    'An end is told in one event, which says what the record says.',
  ],
  [
    /open attempt|attempts? that succeeded|ended at different times|has no video|nobody has worked/,
    'A video, its job, its attempts and its event end together, in one change.',
  ],
  [
    /counts as one that waits|the turn of/,
    'A job that begins leaves the line, and moves its account on in the order of turns.',
  ],
  [
    /waits for a message, of before/,
    'Claims on a job, and messages for it, are followed by later ones.',
  ],
  [/both work at/, 'Two media workers never have the same claim on a job.'],
  [
    /has attempt \d|counts? .*attempts?\b.*of|and counts \d/,
    'A job counts each attempt once, and has no more than it may.',
  ],
  [
    /may go on|still works at|told to stop/,
    'A media worker is told to stop when its attempt is over or not wanted any more.',
  ],
  [/has written after/, 'Only the attempt that holds the job stores files.'],
  [
    /was lost, and nothing|lost media worker/,
    'No attempt is given up for lost while nothing goes wrong.',
  ],
  [
    /nobody has noticed|its lease is over/,
    'Within minutes somebody notices that nobody works at an attempt any more.',
  ],
  [/progress/, 'Progress never falls.'],
  [
    /videos of an account run|as many of its account|lent a slot/,
    'An account has no more at work than its cap.',
  ],
  [
    /has taken .*, which has not begun|came later and began/,
    'A job that was taken begins, and the jobs of an account begin in the order in which they came.',
  ],
  [
    /waits while a slot is free|not called when a slot|all \d+ slots|a slot was idle|has nothing to do/,
    'A slot that falls free goes at once to the job that is next.',
  ],
  [/its slot is given away/, 'A canceled job keeps its slot until its media worker has stopped.'],
  [
    /turns while another waited|weight of/,
    'Accounts take turns within their weights, and none stands still.',
  ],
  [/went back in line/, 'The place in line that a customer is told only falls.'],
  [
    /a gate (admitted|refused|tells|is full)/,
    'The windows of a key count exactly, also when objects die.',
  ],
  [
    /Idempotency-Key|one order made|answer .*once more/,
    'An Idempotency-Key gives one video and one answer, to the byte.',
  ],
  [/both made of|which belongs to/, 'An upload becomes the source of one video at most.'],
  [
    /budget|beyond what its customer allows/,
    'Nothing is taken or made beyond a budget or what a customer allows.',
  ],
  [
    /is removed, (and|of which)/,
    'A file goes only when no row names it any more, or its time is over.',
  ],
  [/was deleted|deleted video|is said to be deleted/, 'Nothing of a deleted video is left.'],
  [
    /to be kept for another time|before its time/,
    'What is kept stays for as long as its account was promised.',
  ],
  [/long after its time|a month later|has expired|not settled/, 'What has expired goes.'],
  [/left over|has stayed|was begun, and neither/, 'Nothing lies in the bucket that no row names.'],
  [/archive/, 'A record that has left the database reads as it did.'],
  [
    /is due, and nobody sends|was sent late|was tried before/,
    'A webhook is sent when it is due, and nobody has to wait for the sweep.',
  ],
  [
    /is still pending|was given up|nobody heard it|was sent \d+ times|the log of|sent once more/,
    'A webhook is delivered, or given up after eight attempts, and its log says what was answered.',
  ],
  [
    /a delivery that has ended|had \d+ attempts/,
    'An attempt of a webhook is counted once, and does not begin again what has ended.',
  ],
  [
    /delivery of|gives up its|its courier/,
    'A file is delivered to the bucket of its customer, and the record says honestly whether it was.',
  ],
  [
    /still waits for|is still (queued|running)|has not ended|never answered|a cancel was answered/,
    'Three calm hours after the last fault everything that was accepted has ended, as its customer was told.',
  ],
  [
    /keeps .*, and nothing wakes it|still keeps|holds it/,
    'An object is woken while it has something left to do, and forgets what is over.',
  ],
  [/goes on and on/, 'Where nothing is left to do, nothing goes on.'],
  [/of at most \d/, 'The limits of the platform are kept.'],
  [/the \w+ of a_\w+: .*counted/, 'What accounts have used is counted as it happened.'],
  [
    / was answered | is .*, not |does not exist/,
    'An account is answered what a plain model of the service says.',
  ],
]

/** The promise that a message is about, if it says enough to tell. */
export function expectedOf(broken: string): string | undefined {
  return promises.find(([one]) => one.test(broken))?.[1]
}
