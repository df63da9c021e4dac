import { describe, expect, it } from 'vitest'
import { type Followed, follow } from './watch.ts'

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string }
}
const item = (name: string, resourceVersion: string): Item => ({ metadata: { name, resourceVersion } })
const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status })
const lines = (...events: unknown[]) => new Response(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
const page = (items: readonly Item[], resourceVersion: string, next?: string) =>
  json({ metadata: { resourceVersion, ...(next !== undefined && { continue: next }) }, items })

/** Plays the answers in order; when they run out, the reader is stopped. */
async function play(answers: readonly (Response | Error)[]) {
  const stop = new AbortController()
  const asked: string[] = []
  const seen: string[] = []
  const lists: (readonly Item[])[] = []
  const target: Followed<Item> = {
    reduce: ({ metadata }) => ({ metadata }),
    onList(items) {
      lists.push(items)
      seen.push(`list ${items.map(({ metadata }) => metadata.name).join(',')}`)
    },
    onChange: (type, { metadata }) => void seen.push(`${type} ${metadata.name}`),
    onState: (problem) => void (problem !== undefined && seen.push(`${problem.type}: ${problem.message}`)),
  }
  const rest = [...answers]
  const waits: number[] = []
  await follow(
    '/pods',
    target,
    {
      async fetch(path) {
        asked.push(path.replace('watch=true&allowWatchBookmarks=true&timeoutSeconds=300&', 'watch '))
        const next = rest.shift()
        if (next === undefined) {
          stop.abort()
          throw new Error('stopped')
        }
        if (next instanceof Error) throw next
        return next
      },
      async wait(ms) {
        waits.push(ms)
      },
      random: () => 1,
    },
    stop.signal,
  )
  return { asked, seen, lists, waits }
}

describe('follow()', () => {
  it('lists in pages, then watches from the version of the list', async () => {
    const { asked, seen } = await play([
      page([item('a', '1')], '7', 'next page'),
      page([item('b', '2')], '7'),
      lines({ type: 'MODIFIED', object: item('a', '8') }, { type: 'DELETED', object: item('b', '9') }),
    ])
    expect(asked).toEqual([
      '/pods?limit=500',
      '/pods?limit=500&continue=next%20page',
      '/pods?watch resourceVersion=7',
      '/pods?watch resourceVersion=9',
    ])
    expect(seen).toEqual(['list a,b', 'MODIFIED a', 'DELETED b'])
  })

  it('reduces the objects of a list before the next page is read', async () => {
    const { lists } = await play([page([{ ...item('a', '1'), spec: {} } as Item], '7', 'next'), page([item('b', '2')], '7')])
    expect(lists).toEqual([[item('a', '1'), item('b', '2')]])
  })

  it('reads lines and characters that are split between chunks', async () => {
    const bytes = new TextEncoder().encode(
      ['ä€', '𝄞'].map((name) => `${JSON.stringify({ type: 'ADDED', object: item(name, '8') })}\n`).join(''),
    )
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const { seen } = await play([page([], '7'), new Response(body)])
    expect(seen).toEqual(['list ', 'ADDED ä€', 'ADDED 𝄞'])
  })

  it('continues after a bookmark from its version', async () => {
    const { asked } = await play([page([], '7'), lines({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '50' } } })])
    expect(asked.at(-1)).toBe('/pods?watch resourceVersion=50')
  })

  it.each([
    ['as an event', lines({ type: 'ERROR', object: { code: 410 } })],
    ['as a response', json({ message: 'too old' }, 410)],
  ])('lists again after 410 Gone %s', async (_, gone) => {
    const { asked, seen } = await play([page([item('a', '1')], '7'), gone, page([item('c', '20')], '21')])
    expect(asked).toEqual(['/pods?limit=500', '/pods?watch resourceVersion=7', '/pods?limit=500', '/pods?watch resourceVersion=21'])
    expect(seen.at(-1)).toBe('list c')
  })

  it('waits longer with each failure, and resumes from the last version that it has seen', async () => {
    let isSent = false
    const cut = new Response(
      new ReadableStream({
        pull(controller) {
          if (isSent) return controller.error(new Error('cut'))
          isSent = true
          controller.enqueue(new TextEncoder().encode(`${JSON.stringify({ type: 'ADDED', object: item('b', '8') })}\n{"type":`))
        },
      }),
    )
    const { asked, waits, seen } = await play([page([], '7'), cut, new Error('refused'), lines()])
    expect(asked.slice(1)).toEqual([
      '/pods?watch resourceVersion=7',
      '/pods?watch resourceVersion=8',
      '/pods?watch resourceVersion=8',
      '/pods?watch resourceVersion=8',
    ])
    expect(waits).toEqual([500, 1000])
    expect(seen).toContain('unreachable: refused')
  })

  it.each([
    [403, ['list ', 'forbidden: no']],
    [404, ['list ']],
  ])('gives up a kind that answers %s', async (code, expected) => {
    const { asked, seen } = await play([json({ message: 'no' }, code)])
    expect(asked).toHaveLength(1)
    expect(seen).toEqual(expected)
  })

  it('tries again with a token that is refused, and says so', async () => {
    const { asked, seen } = await play([json({ message: 'Unauthorized' }, 401), page([item('a', '1')], '7')])
    expect(asked.slice(0, 2)).toEqual(['/pods?limit=500', '/pods?limit=500'])
    expect(seen).toEqual(['unauthorized: Unauthorized', 'list a'])
  })
})
