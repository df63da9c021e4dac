// `npm run explore -- [NAME …]`: the worlds with these names; without a name those of CI; `all` for every one.
import '../api/kinds.ts'
import { realClock } from '../base/clock.ts'
import { explore, type Violation } from './explorer.ts'
import { worlds } from './scopes.ts'

const names = process.argv.slice(2)
const chosen = worlds.filter(({ name, isInCi }) => (names.length === 0 ? isInCi : names.includes('all') || names.includes(name)))
if (chosen.length === 0) console.error(`error: no world has this name. Choose one of: ${worlds.map(({ name }) => name).join('; ')}.`)

function print({ problem, start, codes, actions, states }: Violation): void {
  console.log(`Violation: ${problem}\n      ${states[0]}`)
  for (const [index, action] of actions.entries()) console.log(`  ${index + 1}. ${action}\n      ${states[index + 1]}`)
  console.log(`  To replay it: replay(world, ${start}, ${JSON.stringify(codes)})\n`)
}

let found = chosen.length === 0 ? 1 : 0
for (const { name, open } of chosen) {
  const world = open()
  const startMs = realClock.now()
  const seconds = () => ((realClock.now() - startMs) / 1000).toFixed(0)
  const before = process.cpuUsage()
  const result = explore(world, {
    findsAll: true,
    onProgress(states, transitions, depth) {
      if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${states} states, ${transitions} steps, depth ${depth}, ${seconds()} s `)
    },
  })
  if (process.stderr.isTTY) process.stderr.write('\r')
  const { states, transitions, depth, violations } = result
  const cpu = (process.cpuUsage(before).user / 1e6).toFixed(0)
  const memory = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
  console.log(
    `${name}: ${states} states, ${transitions} steps, depth ${depth}, ${seconds()} s (${cpu} s of processor), ${memory} MiB, ${violations.length} violations`,
  )
  violations.forEach(print)
  found += violations.length
}
process.exitCode = found === 0 ? 0 : 1
