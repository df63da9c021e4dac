// How pods of a revision and a state are filled, as in reports: the revision has the colour, the state the texture, so that
// states can be told apart without colour and revisions without texture.
import { getOrAdd } from '../../src/base/maps.ts'
import type { PodState } from '../data/pod-summary.ts'

export const colourCount = 6
const size = 7

export const colourOf = (index: number, style: CSSStyleDeclaration): string =>
  style.getPropertyValue(`--revision-${(index % colourCount) + 1}`).trim() || '#2b78b8'

const cache = new Map<string, CanvasPattern | string>()

export function textureOf(context: CanvasRenderingContext2D, colour: string, state: PodState): CanvasPattern | string {
  if (state === 'ready') return colour
  return getOrAdd(cache, `${colour} ${state}`, () => context.createPattern(tile(colour, state), 'repeat') ?? colour)
}

function tile(colour: string, state: Exclude<PodState, 'ready'>): HTMLCanvasElement {
  const ratio = Math.max(1, Math.round(devicePixelRatio))
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * ratio
  const context = canvas.getContext('2d')!
  context.scale(ratio, ratio)
  context.fillStyle = context.strokeStyle = colour
  const ground = (opacity: number) => {
    context.globalAlpha = opacity
    context.fillRect(0, 0, size, size)
    context.globalAlpha = 1
  }
  const strokes = (lines: readonly (readonly [number, number, number, number])[], width: number) => {
    context.lineWidth = width
    context.beginPath()
    for (const [x1, y1, x2, y2] of lines) {
      context.moveTo(x1, y1)
      context.lineTo(x2, y2)
    }
    context.stroke()
  }
  // Diagonals continue beyond the tile, so that its corners are filled too.
  if (state === 'starting') {
    ground(0.42)
    context.globalAlpha = 0.55
    strokes(
      [
        [-1, 1, 1, -1],
        [0, size, size, 0],
        [size - 1, size + 1, size + 1, size - 1],
      ],
      1,
    )
  } else if (state === 'pending') {
    ground(0.1)
    context.beginPath()
    context.arc(size / 2, size / 2, 1.2, 0, 2 * Math.PI)
    context.fill()
  } else if (state === 'lost') {
    ground(0.1)
    strokes(
      [
        [0, 0, size, size],
        [0, size, size, 0],
      ],
      1,
    )
  } else if (state === 'waiting') {
    context.globalAlpha = 0.7
    strokes([[0, size / 2, size, size / 2]], 1)
  } else {
    ground(0.16)
    strokes(
      [
        [size - 1, -1, size + 1, 1],
        [0, 0, size, size],
        [-1, size - 1, 1, size + 1],
      ],
      2.4,
    )
  }
  return canvas
}
