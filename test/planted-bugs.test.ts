// Every planted bug still applies to the source. Otherwise the table of bugs that the swarm finds, in the docs, would be out of date.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface PlantedBug {
  readonly name: string
  readonly file: string
}
const { plantedBugs, plant } = (await import(new URL('../scripts/planted-bugs.mjs', import.meta.url).href)) as {
  readonly plantedBugs: readonly PlantedBug[]
  plant(source: string, bug: PlantedBug): string
}

describe('plant()', () => {
  it.each(plantedBugs.map((bug) => [bug.name, bug] as const))('finds the place for the bug of %s', (_, bug) => {
    const source = readFileSync(join(import.meta.dirname, '..', bug.file), 'utf8')
    expect(plant(source, bug)).not.toBe(source)
  })
})
