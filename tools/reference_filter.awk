# A public header as Doxygen reads it: a topic, its sections with their headings, "Source:" and
# "Cost:" as paragraphs. Lines keep their numbers, so that a warning names the right one.
FNR == 1 {
    topic = FILENAME
    sub(/^.*src\//, "", topic)
    gsub(/[\/.]/, "_", topic)
    sub(/^\/\*\* /, "/** @addtogroup " topic "\n * ")
}
# The line that the name of the topic took.
/^$/ && !is_shifted { is_shifted = 1; next }
!is_open && /\*\/$/ { $0 = $0 " /** @{ */"; is_open = 1 }
/^\/\* ---*.* \*\/$/ {
    if (in_section) { printf "/** @} */ " }
    sub(/^\/\* -+ /, "/** @name ")
    sub(/ \*\/$/, "")
    print
    getline
    is_heading = in_section = 1
    if ($0 == "") { $0 = " */ /** @{ */"; is_heading = 0 }
    sub(/^\/\*/, " *")
}
is_heading && /\*\/$/ { $0 = $0 " /** @{ */"; is_heading = 0 }
{ sub(/^ \* Source: /, " * @source "); sub(/^ \* Cost: /, " * @cost ") }
{ print }
END { if (in_section) { print "/** @} */" } print "/** @} */" }
