# Write the data frames of rpart and of R itself as text: Rscript rpart_data.R FOLDER
# NAME.csv: "?" is missing, numbers with every digit; NAME.levels: column, kind and levels by tabs.
library(rpart)
folder <- commandArgs(TRUE)[1]
for (name in c("kyphosis", "solder.balance", "car90", "cu.summary", "car.test.frame", "stagec",
               "airquality", "iris")) {
  d <- get(name)
  kinds <- vapply(d, function(x) {
    kind <- if (is.ordered(x)) "ordered" else if (is.factor(x)) "nominal" else "numeric"
    paste(c(kind, levels(x)), collapse = "\t")
  }, "")
  writeLines(paste(names(d), kinds, sep = "\t"), file.path(folder, paste0(name, ".levels")))
  for (column in names(d)) {
    x <- d[[column]]
    text <- if (is.factor(x)) as.character(x) else sprintf("%.17g", x)
    d[[column]] <- ifelse(is.na(x), "?", text)
  }
  write.csv(d, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}
