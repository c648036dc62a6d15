/** The clip in its new shape with everything on top of it, and below it a strip of the cuts. Only where scripts run. */
export function Preview() {
  return (
    <section class="preview" aria-label="Preview" data-preview>
      <div class="stage">
        <div class="frame" data-frame>
          <canvas class="bars" data-bars width={64} hidden></canvas>
          <video data-clip muted playsinline preload="auto"></video>
          <p class="frame-empty" data-frame-empty></p>
          <div class="overlays" data-overlays></div>
          <div class="fade" data-fade></div>
          <div class="sample" data-sample hidden></div>
        </div>
      </div>
      <svg class="aside" aria-hidden="true">
        <filter id="tone" color-interpolation-filters="sRGB">
          <feColorMatrix type="matrix" data-tone />
        </filter>
      </svg>
      <p class="frame-note soft" data-frame-note></p>
      <Player />
    </section>
  )
}

function Player() {
  return (
    <div class="player" data-player hidden>
      <div class="row">
        <button type="button" class="button small" data-play>
          Play
        </button>
        <output class="clock" data-clock aria-label="Position"></output>
        <button type="button" class="button small" data-cut="start">
          Cut from here
        </button>
        <button type="button" class="button small" data-cut="end">
          Cut to here
        </button>
      </div>
      <div class="timeline" data-timeline>
        <input
          type="range"
          class="seek"
          min={0}
          max={1}
          step="any"
          value="0"
          aria-label="Position in the clip"
          data-seek
        />
        <canvas class="film" data-film aria-hidden="true"></canvas>
        <div class="pauses" data-pauses aria-hidden="true"></div>
        <div class="ranges" data-ranges></div>
      </div>
      <div class="times" data-times></div>
      <p class="hint">
        Drag along the strip to cut a part out; drag its ends, or focus one and press the arrow
        keys. The bars below it say when each overlay is shown.
      </p>
      <Heard />
    </div>
  )
}

/** The words of the clip, once the service was asked to listen. */
function Heard() {
  return (
    <div class="heard">
      <p class="row">
        <button type="button" class="button small" data-listen>
          Find the pauses and words
        </button>
        <span class="soft" data-heard-state role="status"></span>
      </p>
      <div
        class="words"
        role="group"
        aria-label="What is said. A word that is struck out is cut."
        data-words
        hidden
      ></div>
    </div>
  )
}
