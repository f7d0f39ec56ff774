/**
 * Country calling codes with the usual lengths of their national numbers, as published by the ITU and the regulators. Rare
 * longer numbers, such as German ones with an internal extension, are left out, because a following number would look like
 * a part of them.
 */
const CODES =
  '1:10 7:10 20:8-10 27:9 30:10 31:9 32:8-9 33:9 34:9 36:8-9 39:8-11 40:9 41:9 43:5-12 44:9-10 45:8 46:7-9 47:8 48:9 49:6-11 ' +
  '51:8-9 52:10 53:8 54:10-11 55:10-11 56:9 57:8-10 58:10 60:8-10 61:9 62:8-12 63:8-10 64:8-10 65:8 66:8-9 81:9-10 82:8-10 84:9-10 ' +
  '86:9-11 90:10 91:10 92:9-10 93:9 94:9 95:7-10 98:10 211:9 212:9 213:8-9 216:8 218:9 220:7-9 221:9 222:8 223:8 224:8-9 225:10 ' +
  '226:8 227:8 228:8 229:8-10 230:7-8 231:7-9 232:8 233:9 234:8-10 235:8 236:8 237:9 238:7 239:7 240:9 241:7-8 242:9 243:9 244:9 ' +
  '245:9 246:7 248:7 249:9 250:9 251:9 252:7-9 253:8 254:9 255:9 256:9 257:8 258:8-9 260:9 261:9 262:9 263:9 264:8-9 265:7-9 266:8 ' +
  '267:7-8 268:8 269:7 291:7 297:7 298:6 299:6 350:8 351:9 352:6-11 353:7-9 354:7-9 355:8-9 356:8 357:8 358:6-10 359:7-9 370:8 371:8 ' +
  '372:7-8 373:8 374:8 375:9 376:6-9 377:8-9 378:8-10 380:9 381:8-9 382:8 383:8-9 385:8-9 386:8 387:8-9 389:8 420:9 421:9 423:7-9 ' +
  '501:7 502:8 503:8 504:8 505:8 506:8 507:7-8 508:6-9 509:8 590:9 591:8 592:7 593:8-9 594:9 595:8-9 596:9 597:6-7 598:8 599:7-8 ' +
  '670:7-8 673:7 674:7 675:7-8 679:7 680:7 685:7 687:6 689:8 691:7 692:7 800:8 808:8 850:8-10 852:8 853:8 855:8-9 856:8-10 870:9 ' +
  '880:8-10 881:8-9 886:8-9 960:7 961:7-8 962:8-9 963:8-9 964:8-10 965:8 966:9 967:7-9 968:8 970:8-9 971:8-9 972:8-9 973:8 974:8 975:7-8 ' +
  '976:8 977:8-10 992:9 993:8 994:9 995:9 996:9 998:9'

interface CallingCode {
  /** Number of digits of the code itself. */
  readonly digits: number
  readonly min: number
  readonly max: number
}

const TABLE: ReadonlyMap<string, CallingCode> = new Map(
  CODES.split(' ').map(entry => {
    const [code = '', lengths = ''] = entry.split(':')
    const [min = 0, max = min] = lengths.split('-').map(Number)
    return [code, { digits: code.length, min, max }]
  }),
)

/** Returns the calling code at the beginning of an international number. No code begins with another code. */
export function callingCodeOf(digits: string): CallingCode | undefined {
  return TABLE.get(digits.slice(0, 1)) ?? TABLE.get(digits.slice(0, 2)) ?? TABLE.get(digits.slice(0, 3))
}
