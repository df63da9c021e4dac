// How pods of a revision and a state are filled: the revision has the colour, the state the texture, so that states are
// told apart without colour and revisions without texture.
import { type PodState, podStates } from '../../rollout/result.ts'
import { svg } from './elements.ts'

/** The number of colours. Further revisions repeat them. */
const colourCount = 6

/** From 1, for the oldest revision. */
export const colourOf = (place: number): string => `var(--revision-${(place % colourCount) + 1})`

export const fillOf = (place: number, state: PodState): string => `url(#fill-${(place % colourCount) + 1}-${state})`

const size = 7

export function patternDefinitions(): SVGSVGElement {
  const patterns = Array.from({ length: colourCount }, (_, place) =>
    podStates.map((state) =>
      svg(
        'pattern',
        { id: `fill-${place + 1}-${state}`, width: size, height: size, patternUnits: 'userSpaceOnUse', class: `fill-${state}` },
        ...textureOf(state, colourOf(place)),
      ),
    ),
  ).flat()
  return svg('svg', { width: 0, height: 0, class: 'definitions', 'aria-hidden': 'true' }, svg('defs', {}, ...patterns))
}

function textureOf(state: PodState, fill: string): SVGElement[] {
  const ground = (opacity: number) => svg('rect', { width: size, height: size, fill, 'fill-opacity': opacity })
  // Diagonals go on beyond the tile, so that its corners are filled too.
  const rising = `M-1,1 L1,-1 M0,${size} L${size},0 M${size - 1},${size + 1} L${size + 1},${size - 1}`
  const falling = `M${size - 1},-1 L${size + 1},1 M0,0 L${size},${size} M-1,${size - 1} L1,${size + 1}`
  switch (state) {
    case 'ready':
      return [ground(1)]
    case 'starting':
      return [ground(0.42), svg('path', { d: rising, stroke: fill, 'stroke-width': 1, 'stroke-opacity': 0.55 })]
    case 'pending':
      return [ground(0.1), svg('circle', { cx: size / 2, cy: size / 2, r: 1.2, fill })]
    case 'terminating':
      return [ground(0.16), svg('path', { d: falling, stroke: fill, 'stroke-width': 2.4 })]
    case 'lost':
      return [ground(0.1), svg('path', { d: `M0,0 L${size},${size} M0,${size} L${size},0`, stroke: fill, 'stroke-width': 1 })]
    case 'waiting':
      return [svg('path', { d: `M0,${size / 2} H${size}`, stroke: fill, 'stroke-width': 1, 'stroke-opacity': 0.7 })]
  }
}
