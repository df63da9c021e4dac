import type { Types } from '../../../machinery/schema/schema.ts'

export const serviceCidrTypes: Types = {
  'networking.ServiceCIDR': {
    $typeMeta: 'inline',
    metadata: 'meta.ObjectMeta #1',
    spec: 'networking.ServiceCIDRSpec #2',
    status: 'networking.ServiceCIDRStatus #3',
  },
  'networking.ServiceCIDRSpec': {
    cidrs: '[]string list=atomic goName=CIDRs #1',
  },
  'networking.ServiceCIDRStatus': {
    conditions: '[]meta.Condition patch=merge mergeKey=type list=map keys=type #1',
  },
}
