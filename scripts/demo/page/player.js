// Keeps players, waveforms and words together. Written into the page; runs from a file, without a server.
const { cuts, longest, words } = JSON.parse(document.querySelector('#data').textContent)
const before = document.querySelector('#before')
const after = document.querySelector('#after')

// The same moment in the other video: what was cut is not there.
const toAfter = (time) =>
  cuts.reduce((at, cut) => at - Math.max(0, Math.min(time, cut.endTime) - cut.startTime), time)
const toBefore = (time) =>
  cuts.reduce((at, cut) => (cut.resultTime <= time ? at + cut.endTime - cut.startTime : at), time)

for (const [player, sound] of [
  [before, document.querySelector('#sound-before svg')],
  [after, document.querySelector('#sound-after svg')],
]) {
  const playhead = sound.querySelector('.playhead')
  const move = () => {
    const x = (player.currentTime / longest) * 1000
    playhead.setAttribute('x1', x)
    playhead.setAttribute('x2', x)
    if (!player.paused) requestAnimationFrame(move)
  }
  for (const event of ['play', 'seeked', 'timeupdate']) player.addEventListener(event, move)
  sound.addEventListener('click', (event) => {
    const { left, width } = sound.getBoundingClientRect()
    player.currentTime = Math.min(player.duration, ((event.clientX - left) / width) * longest)
    if (player.paused) listenTo(player)
  })
}

const other = (player) => (player === before ? after : before)
function listenTo(player) {
  other(player).pause()
  void player.play()
}
for (const player of [before, after]) player.addEventListener('play', () => other(player).pause())

document.querySelector('.switch').addEventListener('click', () => {
  const from = before.paused && !after.paused ? after : before.paused ? undefined : before
  if (from === undefined) return listenTo(before)
  other(from).currentTime = from === before ? toAfter(from.currentTime) : toBefore(from.currentTime)
  listenTo(other(from))
})

const shown = [...document.querySelectorAll('.word')]
for (const word of shown) {
  word.addEventListener('click', () => {
    after.currentTime = Number(word.dataset.time)
    listenTo(after)
  })
}
after.addEventListener('timeupdate', () => {
  for (const word of shown) {
    const { time, end } = word.dataset
    const isNow = after.currentTime >= Number(time) && after.currentTime < Number(end)
    word.classList.toggle('now', isNow && after.currentTime > 0)
  }
})

// Browsers load no files of captions for pages that are files themselves.
const captions = after.addTextTrack('captions', 'What is said', 'en')
for (const { startTime, endTime, text } of words)
  captions.addCue(new VTTCue(startTime, endTime, text))
