"""Names that wikis share: of namespaces, languages, variants and HTML elements."""


def words_of(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


# Former local names that a wiki still accepts in links but that its <siteinfo> no longer lists.
FILE_NAMES = words_of(
    "file image bild datei fichier archivo imagen ficheiro imagem arquivo immagine bestand afbeelding plik "
    "grafika файл изображение зображення картинка фајл датотека слика slika datoteka tiedosto kuva fil billede mynd "
    "fájl kép soubor súbor obrázok obrázek dosya resim şəkil fayl ファイル 画像 파일 그림 文件 檔案 档案 图像 圖像 "
    "图片 圖片 ملف صورة پرونده تصویر קובץ תמונה चित्र फ़ाइल চিত্র படிமம் దస్త్రం ചിത്രം ไฟล์ ภาพ tập_tin hình berkas gambar "
    "fitxer imatge fitxategi irudi dosiero attēls vaizdas pilt fișier imagine imaxe ficheru պատկեր სურათი ფაილი сурет "
    "выява restr skrá íomhá delwedd larawan talaksan imago fasciculus"
)
CATEGORY_NAMES = words_of(
    "category kategorie catégorie categoría categoria categorie kategoria категория категорія категорија категорыя "
    "kategorija kategori luokka kategória flokkur kategorio カテゴリ 분류 分类 分類 تصنيف رده קטגוריה श्रेणी বিষয়শ্রেণী "
    "பகுப்பு వర్గం വർഗ്ഗം หมวดหมู่ thể_loại kategoriya kateqoriya санат კატეგორია կատեգորիա categoría catexoría "
    "kategoriija rummad catagóir categori kaurangi"
)
# The namespace of templates, as in {{Vorlage:lang|de|Wien}}.
TEMPLATE_NAMES = words_of(
    "template vorlage modèle plantilla шаблон テンプレート 模板 樣板 sjabloon predefinição szablon mall mal skabelon "
    "malline šablona šablóna sablon şablon sjablon 틀 قالب الگو תבנית साँचा แม่แบบ bản_mẫu templat ŝablono txantiloi "
    "modèl шаблён"
)
# What a redirect begins with in each language, after "#".
# Source: https://translatewiki.net/wiki/Special:AdvancedTranslate, the magic word `redirect`
REDIRECT_WORDS = words_of(
    "redirect aanstuur تحويل yönləndirmə istiqamətləndirmə перанакіраваньне перанакіраванне виж пренасочване adkas "
    "preusmjeri přesměruj přesměrování ail-cyfeirio ailgyfeirio weiterleitung dalejpósrědnjenje ανακατευθυνση "
    "alidirekti alidirektu redirección redireccion suuna birzuzendu تغییر_مسیر تغییرمسیر ohjaus uudelleenohjaus "
    "umbeining redirection trochferwizing athsheoladh הפניה पुनर्प्रेषित अनुप्रेषित przesměrowanje redireksyon átirányítás "
    "վերահղում alih tilvísun tilvisun rinvia rinvio 転送 リダイレクト გადამისამართება айдау aıdaw បញ្ជូនបន្ត "
    "ប្ដូរទីតាំងទៅ 넘겨주기 ömlëijde_op peradresavimas pāradresācija пренасочување തിരിച്ചുവിടുക തിരിച്ചുവിടൽ чиглүүлэг "
    "पुनर्निर्देशन lencong rindirizza wiederleiden doorverwijzing omdiriger omdirigering patrz przekieruj tam "
    "redirecionamento redirecteaza redirecționare перенаправление перенапр अनुप्रेषितम् presmeruj preusmeritev ridrejto "
    "преусмери преусмјери preusmeri வழிமாற்று దారిమార్పు เปลี่ยนทาง yönlendirme yönlendir yünältü перенаправлення "
    "رجوع_مکرر رجوع yonaltirish đổi ווייטערפירן 重定向 重新導向 重新导向 ridirect ridirezzion rinviu redirixir "
    "viderleiten пӱртыш көчеру юнəлтү йүнәлтеү ыйыы хрӕмӕ пунахтарни"
)
# Links to the file itself, [[Media:Cat.ogg|meow]], which show their label as links to articles do.
MEDIA_NAMES = words_of(
    "media medium médium média médio medio медиа медіа メディア 媒体 媒體 미디어 وسائط medya mediji multimedia"
)
# Switches such as __NOTOC__, in any case. Source: https://www.mediawiki.org/wiki/Help:Magic_words
SWITCHES = words_of(
    "notoc toc forcetoc noeditsection nogallery hiddencat expectunusedcategory expectunusedtemplate index noindex "
    "newsectionlink nonewsectionlink staticredirect notitleconvert notc nocontentconvert nocc disambig archivedtalk "
    "notalk nosectionedit noglobal expectwithoutscans start end"
)
# Codes of the Wikipedias: a link to one of them ("[[de:Katze]]") is a language link, not text.
LANGUAGES = words_of(
    "aa ab ace ady af ak als alt am ami an ang ann anp ar arc ary arz as ast atj av avk awa ay az azb ba ban bar "
    "bat-smg bcl bdr be be-tarask be-x-old bew bg bh bi bjn blk bm bn bo bpy br bs btm bug bxr ca cbk-zam cdo ce ceb "
    "ch cho chr chy ckb co cr crh cs csb cu cv cy da dag de dga din diq dsb dtp dty dv dz ee el eml en eo es et eu "
    "ext fa fat ff fi fiu-vro fj fo fon fr frp frr fur fy ga gag gan gcr gd gl glk gn gom gor got gpe gsw gu guc gur "
    "guw gv ha hak haw he hi hif ho hr hsb ht hu hy hyw hz ia iba id ie ig igl ii ik ilo inh io is it iu ja jam jbo "
    "jv ka kaa kab kbd kbp kcg kg kge ki kj kk kl km kn ko koi kr krc ks ksh ku kus kv kw ky la lad lb lbe lez lfn lg "
    "li lij lld lmo ln lo lrc lt ltg lv lzh mad mai map-bms mdf mg mh mhr mi min mk ml mn mni mnw mo mos mr mrj ms mt "
    "mus mwl my myv mzn na nah nan nap nb nds nds-nl ne new ng nia nl nn no nov nqo nr nrm nso nup nv ny oc olo om or "
    "os pa pag pam pap pcd pcm pdc pfl pi pih pl pms pnb pnt ps pt pwn qu rm rmy rn ro roa-rup roa-tara rsk ru rue "
    "rup rw sa sah sat sc scn sco sd se sg sgs sh shi shn si simple sk skr sl sm smn sn so sq sr srn ss st stq su sv "
    "sw syl szl szy ta tay tcy tdd te tet tg th ti tig tk tl tly tn to tpi tr trv ts tt tum tw ty tyv udm ug uk ur uz "
    "ve vec vep vi vls vo vro wa war wo wuu xal xh xmf yi yo yue za zea zgh zh zh-classical zh-min-nan zh-yue "
    "zu"
)
# The variants a reader sees first, per language whose wiki converts between scripts or vocabularies.
VARIANTS: dict[str, tuple[str, ...]] = {
    "zh": ("zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "zh-hant", "zh-tw", "zh-hk", "zh-mo"),
    "gan": ("gan-hans", "gan", "gan-hant"),
    "wuu": ("wuu-hans", "wuu", "wuu-hant"),
    "sr": ("sr-ec", "sr-cyrl", "sr", "sr-el", "sr-latn"),
    "sh": ("sh-latn", "sh", "sh-cyrl"),
    "kk": ("kk-cyrl", "kk-kz", "kk", "kk-latn", "kk-tr", "kk-arab", "kk-cn"),
    "ku": ("ku-latn", "ku", "ku-arab"),
    "tg": ("tg", "tg-latn"),
    "uz": ("uz-latn", "uz", "uz-cyrl"),
    "crh": ("crh-latn", "crh", "crh-cyrl"),
    "iu": ("ike-cans", "iu", "ike-latn"),
    "shi": ("shi-latn", "shi", "shi-tfng"),
}
HANT = ("zh-hant", "zh-tw", "zh-hk", "zh-mo", "zh")
UNSPACED = frozenset({"zh", "ja", "yue", "lzh", "wuu", "gan", "th", "lo", "km", "my"})

# elements whose content is no running text of the article
HIDDEN_ELEMENTS = words_of(
    "ref references math gallery timeline score imagemap templatedata templatestyles hiero graph mapframe maplink "
    "categorytree inputbox indicator chem ce includeonly syntaxhighlight source dynamicpagelist section charinsert "
    "languages page-collection phonos style"
)
BLOCK_ELEMENTS = words_of(
    "br hr p div blockquote center li ul ol dl dt dd h1 h2 h3 h4 h5 h6 tr td th caption thead tbody tfoot poem pre "
    "section"
)
INLINE_ELEMENTS = words_of(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark nowiki noinclude onlyinclude q rb rp rt rtc "
    "ruby s samp small span strike strong sub sup time translate tt tvar u var wbr label img includeonly ref "
    "references math gallery timeline score imagemap templatestyles syntaxhighlight source chem ce nobr col colgroup "
    "hiero section languages indicator link meta"
)
