// The tick of the timers of simulated pods. If ten thousand pods become ready within ten seconds, controllers sync ten thousand times;
// with ticks of one second, they sync ten times.

const exactPods = 30

/** The tick for this number of pods. It depends on nothing else: the same seed gives the same run, however many runs there are. */
export function tickFor(pods: number): number {
  return pods <= exactPods ? 1 : pods <= 200 ? 250 : pods <= 2000 ? 500 : 1000
}
