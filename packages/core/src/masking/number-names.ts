/** Nouns for phone numbers that are also recognised inside a name such as `customerPhoneNo`. */
const NOUNS =
  '(?<![a-z])(?:my|your|his|her|our|their)\\s+(?:new\\s+)?number|(?<!head|micro|smart|mega|ear)phones?|telefon[oe]?s?|tel[ée]fonos?|t[ée]l[ée]phones?|telefax|mobile|mobil(?:e|nummer|telefon)?|m[óo]vil|celular(?:es)?|cellphone|handy(?:nummer)?|rufnummer|faxnummer|whatsapp|msisdn|hotline|voicemail|телефон|мобильный|' +
  '电话|電話|手机|手機|移动|联系方式|聯絡|联系|連絡先|携帯|拨打|致电|传真|傳真|ファックス|ファクス|전화|휴대폰|휴대전화|핸드폰|연락처|팩스|โทร(?:ศัพท์)?'
/** Short names and verbs. They are recognised only as whole words. */
const WORDS =
  'tel|caller|callee|telf|tlf|tfno|tél|ph|mob|cel|cell|portable|fax|sms|viber|wa\\.me|call(?:ed|ing|back)?|text(?:ed)?|dial(?:l?ed)?|ring|reach(?:ed)?|contact|anruf(?:en)?|llam[ae]r?|appele[rz]|тел'
const SUFFIX = String.raw`(?:[\s_-]*(?:number|numbers|num|nr|no|nummer|numéro|número|n°|id|号码|號碼|号|號|番号|번호|номер))?(?:[\s_-]*(?:to|from|home|work|office|main|primary|private|e164|\d)(?![a-z\d]))?`
const BRIDGE =
  String.raw`(?:\s+(?:me|him|her|us|them|you|is|at|on|to|under|please|back|line|a|new|my|his|the|unter|an|au|al|est|es|ist|lautet|sous)(?![a-z]))*` +
  String.raw`(?:是|为|為|请|請|は|も|に|へ|는|은|로|가|를|을|에)*`
const MARKS = String.raw`(?:<\/?[a-z][^<>]{0,24}>|[\s.:=#()"'|,;>{}[\]→⇒*_~/\\` + '`' + String.raw`：-])*`

const PHONE = new RegExp(`(?:(?:${NOUNS})|(?<![\\p{L}\\p{N}])(?:${WORDS})(?![a-z]))${SUFFIX}${BRIDGE}${MARKS}$`, 'iu')
/** A column name, followed by the beginning of the rows. */
const COLUMN = new RegExp(
  `(?:${NOUNS}|(?<![\\p{L}\\p{N}])(?:tel|fax|mob|cell))[^\\n]{0,80}(?:\\n|\\bvalues\\b)[^:=]*[,;\\t|(\\n]\\s*["']?$`,
  'iu',
)

const OTHER =
  /(?:(?<![a-z])(?:orders?|order_?id|rma|invoices?|rechnung(?:snummer)?|bestell(?:ung|nummer)|facture|factura|commande|pedido|tickets?|cases?|ref(?:erence)?|transactions?|txn|parts?|skus?|serials?|isbn(?:-1[03])?|issn|ean(?:-\d+)?|gtin(?:-\d+)?|upc|imei|iccid|barcodes?|tracking|asin|accounts?|acct|konto(?:nummer)?|customers?|kundennummer|products?|artikel(?:nummer)?|items?|batch|lot|build|version|commit|ids?|uid|pid|vin|patent|model)|[a-z]Id|订单|訂單|编号|編號|单号|单据|流水|快递|发票|注文|請求|伝票|商品|주문|송장|상품)(?:[\s_-]*(?:number|num|no|nr|id|code|号码|号|號|番号|번호|n°))?(?:\s+(?:is|was|ist|est|es))?(?:是|为|為|は|는|은)?[\s.:=#"'`|>()：-]*$/i

/** Returns whether the text ends with a word that marks a following number as a phone number. */
export function namesPhone(before: string): boolean {
  return PHONE.test(before)
}

/** Returns whether the text ends inside rows of a table that has a column for phone numbers. */
export function namesPhoneColumn(before: string): boolean {
  return COLUMN.test(before)
}

const PRODUCT =
  /(?<![a-z])(?:isbn(?:-1[03])?|issn|ean(?:-\d+)?|gtin(?:-\d+)?|upc|imei|iccid|barcode|tracking|serial|asin|sku)(?:[\s_-]*(?:number|num|no|nr|code|id))?[\s.:=#"'`|>()-]*$/i

/** Returns whether the text ends with a word for the number of a product, a book or a device. */
export function namesProductNumber(before: string): boolean {
  return PRODUCT.test(before)
}

/** Returns whether the text ends with a word for another kind of number, such as an order or a book. */
export function namesOtherNumber(before: string): boolean {
  return OTHER.test(before)
}
