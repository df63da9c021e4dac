import { describe, expect, it } from 'vitest'
import { coreEvents } from '../../api/kinds.ts'
import { PackableRecord } from '../../store/packable-record.ts'
import { cannotMatch, parseSelection } from './selectors.ts'
import { podKind } from './testing/rest-bench.ts'

const eventKind = coreEvents
const recordOf = (memo?: unknown) =>
  new PackableRecord(
    'events/default/web.1',
    2,
    2,
    '{"metadata":{"name":"web.1"},"involvedObject":{"kind":"Pod","name":"web"},"reason":"Started"}',
    memo,
  )

describe('isWithout()', () => {
  it.each([
    ['a name that is not in it', 'involvedObject.name=other', true],
    ['one that is and one that is not', 'involvedObject.name=web,reason=Killing', true],
    ['a name that is in it, there or elsewhere', 'involvedObject.name=Started', false],
    ['what must differ', 'involvedObject.name!=other', false],
    ['nothing', 'involvedObject.fieldPath=', false],
    ['what may be written in another way', 'involvedObject.fieldPath=a"b', false],
  ])('of an event and %s', (_, fieldSelector, expected) => {
    expect(cannotMatch(parseSelection(eventKind, { fieldSelector }), eventKind, recordOf())).toBe(expected)
  })

  it('leaves to others what is parsed already, and other kinds', () => {
    const selection = parseSelection(eventKind, { fieldSelector: 'involvedObject.name=other' })
    expect(cannotMatch(selection, eventKind, recordOf('parsed'))).toBe(false)
    expect(cannotMatch(parseSelection(podKind, { fieldSelector: 'spec.nodeName=other' }), podKind, recordOf())).toBe(false)
  })
})

describe('parseSelection()', () => {
  const validate = () => {
    throw new Error('other parameters')
  }

  it.each([
    ['a selector that cannot be read', { labelSelector: 'a in' }, 'unable to parse requirement'],
    ['other parameters', { labelSelector: 'a=b', fieldSelector: 'nope=1' }, 'other parameters'],
  ])('refuses %s first', (_, query, message) => {
    expect(() => parseSelection(podKind, query, validate)).toThrow(message)
  })
})
