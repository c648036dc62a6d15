/* Runs in a browser: draws one picture of a clip into the canvas, for the second `t`. */
const warm = {
  paper: '#efe6d8',
  wall: '#d9c7ab',
  ink: '#2b2620',
  accent: '#b8421f',
  leaf: '#5c7a4a',
  skin: '#e0ac86',
}

const scenes = {
  talk(g, t, w, h) {
    fill(g, warm.wall, 0, 0, w, h)
    fill(g, '#b99f7c', 0, h * 0.84, w, h * 0.16)
    fill(g, '#fffdf8', w * 0.04, h * 0.1, w * 0.33, h * 0.5)
    const slides = [
      ['A small garden', 'in four steps'],
      ['1  Light', 'and water'],
      ['2  What to', 'grow'],
      ['3  The first', 'week'],
    ]
    const lines = slides[Math.min(slides.length - 1, Math.floor(t / 4.4))]
    g.fillStyle = warm.ink
    g.font = `700 ${h * 0.066}px sans-serif`
    lines.forEach((line, i) => g.fillText(line, w * 0.07, h * (0.22 + i * 0.1)))
    plant(g, w * 0.31, h * 0.59, h * 0.16, t)
    plant(g, w * 0.86, h * 0.84, h * 0.42, t)
    person(g, w * 0.53 + Math.sin(t * 0.9) * w * 0.012, h * 0.5, h * 0.23, t, '#39546b')
  },
  speech(g, t, w, h, loudness) {
    const sky = g.createLinearGradient(0, 0, 0, h)
    for (const [at, colour] of [
      [0, '#16213f'],
      [0.55, '#5b3a63'],
      [1, '#e08a5b'],
    ])
      sky.addColorStop(at, colour)
    fill(g, sky, 0, 0, w, h)
    for (let i = 0; i < 70; i++) {
      g.globalAlpha = 0.35 + 0.35 * Math.sin(t * 1.7 + i * 2.4)
      fill(
        g,
        '#fff6ee',
        ((i * 397 + t * 5) % 1000) * w * 0.001,
        ((i * 211) % 560) * h * 0.001,
        3,
        3,
      )
    }
    g.globalAlpha = 1
    disc(g, '#f7e3b4', w * (0.8 - 0.008 * t), h * (0.24 - 0.004 * t), h * 0.11)
    for (let i = 0; i < 9; i++) flag(g, w * (0.06 + i * 0.11), h * 0.62, h * 0.1, t + i)
    fill(g, '#241b30', 0, h * 0.66, w, h * 0.34)
    person(g, w * 0.5 + Math.sin(t * 0.8) * w * 0.006, h * 0.42, h * 0.2, t, '#22304d', loudness)
    g.fillStyle = '#7a4a2d'
    g.beginPath()
    g.roundRect(w * 0.405, h * 0.68, w * 0.19, h * 0.34, h * 0.02)
    g.fill()
    fill(g, '#96603c', w * 0.39, h * 0.66, w * 0.22, h * 0.035)
    for (const side of [-1, 1]) {
      fill(g, '#14101c', w * 0.5 + side * w * 0.045, h * 0.58, w * 0.004, h * 0.09)
      disc(g, '#14101c', w * 0.502 + side * w * 0.045, h * 0.57, h * 0.018)
    }
    for (let i = 0; i < 16; i++) {
      const sway = Math.sin(t * 1.4 + i * 1.9) * h * 0.008
      disc(g, '#0d0a14', w * (i / 15), h * 0.985 + sway, h * (0.055 + 0.012 * (i % 3)))
    }
  },
  interview(g, t, w, h) {
    fill(g, '#cdd6cf', 0, 0, w, h)
    fill(g, '#8f7a62', 0, h * 0.86, w, h * 0.14)
    plant(g, w * 0.5, h * 0.86, h * 0.5, t)
    person(g, w * 0.25, h * 0.5, h * 0.23, t, '#6b3f39')
    person(g, w * 0.75, h * 0.5, h * 0.23, t + 2, '#39546b')
  },
  intro(g, t, w, h) {
    fill(g, warm.accent, 0, 0, w, h)
    const grown = Math.min(1, t / 0.8)
    g.globalAlpha = grown
    g.fillStyle = '#fff6ee'
    g.font = `700 ${h * 0.15}px sans-serif`
    g.textAlign = 'center'
    g.fillText('Garden Talks', w / 2, h * 0.53)
    g.font = `${h * 0.06}px sans-serif`
    g.fillText('Episode 12', w / 2, h * 0.66)
    fill(g, '#fff6ee', w * (0.5 - 0.2 * grown), h * 0.72, w * 0.4 * grown, h * 0.008)
    g.globalAlpha = 1
    g.textAlign = 'left'
  },
  logo(g, t, w, h) {
    g.clearRect(0, 0, w, h)
    g.fillStyle = warm.accent
    g.beginPath()
    g.roundRect(0, 0, w, h, h * 0.25)
    g.fill()
    plant(g, w * 0.2, h * 0.8, h * 0.62, 0, '#fff6ee')
    g.fillStyle = '#fff6ee'
    g.font = `700 ${h * 0.34}px sans-serif`
    g.fillText('Garden', w * 0.37, h * 0.45)
    g.fillText('Talks', w * 0.37, h * 0.83)
  },
}

function fill(g, colour, x, y, w, h) {
  g.fillStyle = colour
  g.fillRect(x, y, w, h)
}

function disc(g, colour, x, y, r) {
  g.fillStyle = colour
  g.beginPath()
  g.arc(x, y, r, 0, 7)
  g.fill()
}

function flag(g, x, y, size, t) {
  fill(g, '#c9b8a8', x, y - size * 1.6, size * 0.05, size * 2)
  g.fillStyle = t % 2 < 1 ? '#b8421f' : '#f3e7d8'
  g.beginPath()
  g.moveTo(x, y - size * 1.6)
  for (let i = 0; i <= 8; i++) {
    g.lineTo(x + size * i * 0.12, y - size * 1.6 + Math.sin(t * 4 + i * 0.8) * size * 0.05)
  }
  for (let i = 8; i >= 0; i--) {
    g.lineTo(x + size * i * 0.12, y - size * 1.05 + Math.sin(t * 4 + i * 0.8) * size * 0.05)
  }
  g.fill()
}

/** The mouth follows the loudness of the voice, from 0 to 1, where that is known. */
function person(g, x, y, r, t, shirt, loudness = Math.abs(Math.sin(t * 9))) {
  const nod = Math.sin(t * 2.1) * r * 0.05
  g.fillStyle = shirt
  g.beginPath()
  g.roundRect(x - r * 1.05, y + r * 0.72, r * 2.1, r * 2.4, r * 0.8)
  g.fill()
  g.fillStyle = warm.skin
  g.beginPath()
  g.arc(x, y - r * 0.1 + nod, r * 0.78, 0, 7)
  g.fill()
  g.fillStyle = '#4a372a'
  g.beginPath()
  g.arc(x, y - r * 0.28 + nod, r * 0.8, Math.PI, 0)
  g.fill()
  g.fillStyle = warm.ink
  for (const side of [-1, 1]) {
    g.beginPath()
    g.arc(x + side * r * 0.28, y + nod, r * 0.07, 0, 7)
    g.fill()
  }
  const open = loudness * r * 0.12 + r * 0.03
  g.beginPath()
  g.ellipse(x, y + r * 0.36 + nod, r * 0.2, open, 0, 0, 7)
  g.fill()
}

function plant(g, x, y, size, t, colour = warm.leaf) {
  g.strokeStyle = g.fillStyle = colour
  g.lineWidth = size * 0.05
  g.beginPath()
  g.moveTo(x, y)
  g.lineTo(x, y - size * 0.7)
  g.stroke()
  for (const [side, up] of [
    [-1, 0.3],
    [1, 0.45],
    [-1, 0.6],
    [1, 0.72],
  ]) {
    const sway = Math.sin(t * 1.3 + up * 9) * 0.06
    g.beginPath()
    g.ellipse(
      x + side * size * 0.2,
      y - size * up - size * 0.08,
      size * 0.22,
      size * 0.09,
      side * (-0.6 + sway),
      0,
      7,
    )
    g.fill()
  }
}

function draw(name, t, width, height, loudness) {
  const canvas = document.querySelector('canvas')
  canvas.width = width
  canvas.height = height
  scenes[name](canvas.getContext('2d'), t, width, height, loudness)
  return canvas.toDataURL(name === 'logo' ? 'image/png' : 'image/jpeg', 0.92)
}
